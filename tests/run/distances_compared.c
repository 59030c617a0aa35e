// Distances in elements compared with constants: what is compared is the distance in bytes. Members'
// addresses compared with null; ends of arrays compared with their beginnings.
#include <stddef.h>
#include <stdio.h>

struct big {
    long a[3];
};
struct packed {
    char c[7];
};
struct node {
    struct node *next;
    long value;
};

#define TESTS(NAME, T)                                                                      \
    __attribute__((noinline)) static int NAME(T *p, T *q) {                                 \
        int n = (size_t)(p - q) < 4;                                                        \
        n = n * 2 + (p - q > 2);                                                            \
        n = n * 2 + (p - q == 3);                                                           \
        n = n * 2 + (p - q != 0);                                                           \
        n = n * 2 + (p - q <= 0);                                                           \
        n = n * 2 + (p - q >= 1);                                                           \
        n = n * 2 + (p - q < 32767);                                                        \
        n = n * 2 + (p - q > -2);                                                           \
        n = n * 2 + ((unsigned)(p - q) > 40000);                                            \
        return n;                                                                           \
    }
TESTS(of_longs, long)
TESTS(of_bigs, struct big)
TESTS(of_odds, struct packed)
TESTS(of_bytes, char)

__attribute__((noinline)) static int one(struct big *p, struct big *q) {
    return p - q < 3 ? 5 : 6;
}
__attribute__((noinline)) static int kept(struct big *p, struct big *q, ptrdiff_t *n) {
    *n = p - q;
    return *n < 3;
}

__attribute__((noinline)) static int empty(int *p, unsigned short n, int odd) {
    struct big *b = (struct big *)p;
    return (p + n == p) * 4 + (b + n == b) * 2 + (p + n == p + odd);
}

__attribute__((noinline)) static long chosen(struct node *p, int list) {
    long *value = p ? &p->value : 0;
    struct node **next = p ? &p->next : 0;
    if (list) {
        if (!value || !*value) {
            return -1;
        }
        return *value * 10 + (next != 0);
    }
    return value ? *value + 1 : next ? 3 : 4;
}

int main(void) {
    static long longs[40000];
    static struct big bigs[8];
    static struct packed odds[8];
    static char bytes[8];
    for (int i = -4; i <= 4; i++) {
        printf("%d %d %d %d %d", of_longs(longs + 4 + i, longs + 4), of_bigs(bigs + 4 + i - (i == 4), bigs + 4),
               of_odds(odds + 4 + i - (i == 4), odds + 4), of_bytes(bytes + 4 + i - (i == 4), bytes + 4),
               one(bigs + 4 + i - (i == 4), bigs + 4));
        ptrdiff_t n;
        printf(" %d", kept(bigs + 4 + i - (i == 4), bigs + 4, &n));
        printf(" %td\n", n);
    }
    printf("%d %d %d\n", of_longs(longs + 32767, longs), of_longs(longs + 32766, longs), of_longs(longs, longs + 39999));
    static int numbers[120];
    printf("%d %d %d\n", empty(numbers, 0, 0), empty(numbers, 1, 1), empty(numbers, 4, 0));
    struct node a = {0, 0}, b = {&a, 7};
    printf("%ld %ld %ld %ld %ld\n", chosen(0, 1), chosen(&a, 1), chosen(&b, 1), chosen(0, 0), chosen(&b, 0));
    return 0;
}
