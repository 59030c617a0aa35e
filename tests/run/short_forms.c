// What selection makes short: switches that compare once for three ways, shifts by the width less a number, pointers less an offset, sums in memory,
// conditions joined without branches, bytes loaded as bytes, and copies through temporaries.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

__attribute__((noipa)) static int choose(int x) {
    switch (x) {
    case -7: return 1;
    case 2: return 2;
    case 5: return 3;
    case 6: case 7: return 4;
    case 90: return 5;
    case 200000: return 6;
    default: return 0;
    }
}

__attribute__((noipa)) static int choose_unsigned(unsigned long x) {
    switch (x) {
    case 0: return 1;
    case 100: return 2;
    case 101: return 3;
    case 5000000000: return 4;
    case -1ul: return 5;
    default: return 0;
    }
}

__attribute__((noipa)) static uint64_t top(uint64_t x, unsigned n) { return x >> ((64 - n) & 63); }
__attribute__((noipa)) static uint32_t top_narrow(uint32_t x, unsigned n, unsigned m) { return x >> (32 - (n + m)); }
__attribute__((noipa)) static uint64_t up(uint64_t x, uint8_t n) { return x << ((128 - n) & 63); }
__attribute__((noipa)) static int64_t down(int64_t x, int64_t n, int64_t *amount) {
    *amount = 64 - n;
    return x >> ((64 - n) & 63);
}
__attribute__((noipa)) static uint32_t turn(uint32_t x, unsigned n) { return x << (n & 31) | x >> ((32 - n) & 31); }

struct stream { char *at; uint64_t *word; long count; unsigned char flag, other; };

__attribute__((noipa)) static char back(struct stream *s, unsigned n) {
    char *p = s->at - n;
    s->word += n;
    s->at += 3;
    s->count -= n;
    return *p;
}
__attribute__((noipa)) static long distance(struct stream *a, struct stream *b) { return a->at - b->at; }
__attribute__((noipa)) static char *ahead(struct stream *s, long n) { return s->at + n; }

__attribute__((noipa)) static int both(unsigned x, int y, const int *p, const int *q) {
    if ((x > 3) & (y != 0)) return *p + 3;
    return *q * 7;
}
__attribute__((noipa)) static int either(unsigned x, int y) { return ((x > 3) | (y < 0)) ^ (x == 9); }

__attribute__((noipa)) static int bytes(struct stream *s, unsigned char c) {
    unsigned char found = s->flag;
    s->other = found;
    if (found == c) return 1;
    if (found > 200) return 2;
    return (signed char)s->flag < 0 ? 3 : 4;
}

struct three { int a, b, c; };
struct four { long a, b, c, d; };
__attribute__((noipa)) static void swap(struct three *x, struct three *y) { struct three t = *x; *x = *y; *y = t; }
__attribute__((noipa)) static void rotate(struct four *x, struct four *y, struct four *z) {
    struct four t = *x;
    *x = *y;
    *y = *z;
    *z = t;
}
__attribute__((noipa)) static void move16(void *to, const void *from) {
    unsigned char t[16];
    memcpy(t, from, 16);
    memcpy(to, t, 16);
}

int main(void) {
    for (int i = -8; i < 9; i++) printf("%d", choose(i));
    printf(" %d %d %d %d\n", choose(89), choose(90), choose(91), choose(200000));
    unsigned long values[] = {0, 1, 99, 100, 101, 102, 4999999999, 5000000000, -2ul, -1ul};
    for (int i = 0; i < 10; i++) printf("%d", choose_unsigned(values[i]));
    puts("");
    for (unsigned n = 1; n < 64; n += 9) {
        int64_t amount;
        uint64_t x = 0xfedcba9876543210;
        int64_t shifted = down((int64_t)x, n, &amount);
        printf("%llx %llx %llx %lld\n", (long long)top(x, n), (long long)up(x, n), (long long)shifted, (long long)amount);
    }
    for (unsigned n = 1; n < 30; n += 4) printf("%x %x ", top_narrow(0xdeadbeef, n, 2), turn(0xdeadbeef, n));
    puts("");
    char text[32] = "abcdefghijklmnop";
    uint64_t words[8] = {0};
    struct stream s = {text + 8, words, 10, 130, 0}, t = {text + 2, words, 0, 7, 0};
    printf("%c", back(&s, 2));
    char behind = back(&s, 5);
    printf("%c %ld %ld %ld %c\n", behind, s.word - words, s.count, distance(&s, &t), *ahead(&s, -4));
    int p = 4, q = 5;
    printf("%d %d %d %d\n", both(3, 1, &p, &q), both(4, 1, &p, &q), both(4, 0, &p, &q), both(9, -1, &p, &q));
    printf("%d %d %d %d\n", either(3, 1), either(9, 1), either(9, -1), either(2, -1));
    int first = bytes(&s, 130), second = bytes(&s, 2), third = bytes(&t, 8);
    s.flag = 201;
    int fourth = bytes(&s, 0);
    printf("%d %d %d %d %d %d\n", first, second, third, fourth, s.other, t.other);
    struct three a = {1, 2, 3}, b = {4, 5, 6};
    swap(&a, &b);
    swap(&a, &a);
    printf("%d %d %d %d %d %d\n", a.a, a.b, a.c, b.a, b.b, b.c);
    struct four c = {1, 2, 3, 4}, d = {5, 6, 7, 8}, e = {9, 10, 11, 12};
    rotate(&c, &d, &e);
    printf("%ld %ld %ld %ld %ld %ld\n", c.a, c.d, d.b, d.c, e.a, e.d);
    move16(text + 1, text);
    puts(text);
    return 0;
}
