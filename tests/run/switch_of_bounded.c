// Switches whose value lies among the cases: by minima and maxima, masks, remainders, or since
// nothing else is reached. Few cases, tables, bit tests, gaps.
#include <stdio.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define BOUNDED(low, value, high) (MAX(low, MIN(value, high)))

static int four(int x) { return x * 3 + 4; }
static int five(int x) { return x ^ 0x55; }
static int six(int x) { return x - 6; }

__attribute__((noinline)) int bounded(const unsigned *first, const unsigned *second, int times) {
    const unsigned a = BOUNDED(4, *first, 6), b = BOUNDED(2, *second, 40);
    int x = times;
    while (times--) {
        switch (a) {
        case 3: x = six(x) + 1; break;
        case 4: x = four(x); break;
        case 5: x = five(x); break;
        case 6: x = six(x); break;
        case 7: x = four(x) + 2; break;
        }
        switch (b) {
        case 2: x += 1; break;
        case 9: x += 2; break;
        case 40: x += 3; break;
        case 41: x += 4; break;
        default: x += 5;
        }
    }
    return x;
}

__attribute__((noinline)) int masked(int value, int x) {
    switch (value & 7) {
    case 0: return x + 1;
    case 1: return x * 2;
    case 2: return x - 3;
    case 3: return x / 4;
    case 4: return x ^ 5;
    case 5: return x | 6;
    case 6: return x & 7;
    case 7: return ~x;
    }
    return -1;
}

__attribute__((noinline)) int gaps(int value) {
    switch (value) {
    case -7: return 1;
    case 4: return 2;
    case 1000: return 3;
    default: __builtin_unreachable();
    }
}

__attribute__((noinline)) int vowels(unsigned char c) {
    switch (c) {
    case 'a': case 'e': case 'i': case 'o': case 'u': return 1;
    case 'b': case 'd': case 'f': case 'h': return 2;
    default: __builtin_unreachable();
    }
}

__attribute__((noinline)) int pair(long value) {
    switch (value % 2) {
    case -1: return 10;
    case 0: return 20;
    case 1: return 30;
    }
    return 40;
}

int main(void) {
    for (unsigned a = 0; a < 9; a++) {
        for (unsigned b = 0; b < 45; b += 1 + b / 10 * 7) printf("%d ", bounded(&a, &b, 5));
        printf("%d %d\n", masked(a, 77), masked(-(int)a, -78));
    }
    printf("%d %d %d\n", gaps(-7), gaps(4), gaps(1000));
    for (const char *c = "aeioubdfh"; *c; c++) printf("%d", vowels(*c));
    printf("\n%d %d %d\n", pair(-5), pair(8), pair(9));
    return 0;
}
