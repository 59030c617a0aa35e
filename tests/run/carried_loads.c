// Loops whose next iteration reads what this one has looked at.
#include <stdio.h>
#include <string.h>

#define APART __attribute__((noipa))
typedef unsigned long word;

APART static word ahead(const word *p, const word *end, unsigned *marks) {
    const word *next = p + 1;
    word sum = 0, step = 1;
    do {
        word now = *p;
        marks[now & 7] = 3;
        word then = *next;
        if (then == 99) return sum;
        sum = sum * 3 + (now ^ then);
        if (then & 1) step = step % 3 + 1;
        p = next;
        next += step;
    } while (next < end);
    return sum;
}

// The write after the look ahead changes what comes.
APART static word written(word *p, const word *end, word *other) {
    word *next = p + 1;
    word sum = 0;
    do {
        word now = *p;
        word then = *next;
        *other = now + then;
        sum = sum * 3 + now;
        p = next;
        next += 1 + (then & 1);
    } while (next < end);
    return sum;
}

struct node { struct node *next; int value; };

APART static int pairs(const struct node *n) {
    int rising = 0;
    while (n->next) {
        rising = rising * 2 + (n->value < n->next->value);
        n = n->next;
    }
    return rising;
}

// Two loads of a header, one of which only some iterations have looked at.
APART static long some(const struct node *n, long limit) {
    long sum = 0;
    for (int i = 0;; i++) {
        sum += n->value * (long)(i + 1);
        const struct node *next = n->next;
        if (!next || sum > limit) return sum;
        if (i & 1) sum += next->value;
        n = next;
    }
}

APART static unsigned bytes(const unsigned char *p, const unsigned char *end, unsigned char *to) {
    unsigned sum = 0;
    for (const unsigned char *next = p; p < end; p = next) {
        unsigned char c = *p;
        next = p + 1 + (c & 1);
        unsigned char d = *next;
        *to = (unsigned char)(c + d);
        sum = sum * 7 + c + d;
    }
    return sum;
}

int main(void) {
    static word words[64];
    static unsigned marks[8];
    static unsigned char text[128];
    static struct node nodes[20];
    for (int i = 0; i < 64; i++) words[i] = (word)i * i % 31;
    for (int i = 0; i < 127; i++) text[i] = (unsigned char)(i * 37 % 101);
    for (int i = 0; i < 20; i++) {
        nodes[i].value = i * 7 % 11;
        nodes[i].next = i < 19 ? nodes + i + 1 : 0;
    }
    printf("%lu", ahead(words, words + 60, marks));
    for (int i = 0; i < 8; i++) printf(" %u", marks[i]);
    for (int i = 0; i < 12; i++) printf(" %lu", written(words, words + 40, words + i * 3));
    printf("\n%d %ld %ld\n", pairs(nodes), some(nodes, 1000000), some(nodes, 100));
    for (int i = 0; i < 100; i += 9) printf("%u ", bytes(text, text + 100, text + i));
    printf("\n");
    return 0;
}
