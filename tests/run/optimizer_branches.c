// Branches that other branches decide: threaded, correlated, found constant.
#include <limits.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

NOINLINE static int state_machine(const char *s)
{
    enum { START, SIGN, DIGIT, BAD } state = START;
    int digits = 0;
    for (; *s; s++) {
        switch (state) {
        case START: if (*s == '-' || *s == '+') state = SIGN; else if (*s >= '0' && *s <= '9') { state = DIGIT; digits++; } else state = BAD; break;
        case SIGN: if (*s >= '0' && *s <= '9') { state = DIGIT; digits++; } else state = BAD; break;
        case DIGIT: if (*s >= '0' && *s <= '9') digits++; else state = BAD; break;
        case BAD: return -digits - 1;
        }
    }
    return state == DIGIT ? digits : -100 - state;
}

NOINLINE static int flags(int x, int y)
{
    int ok = 0, r = 0;
    if (x > 10) ok = 1; else if (y > 10) ok = 2;
    r = x * y;
    if (ok == 1) r += 1000; else if (ok == 2) r += 2000; else r -= 1;
    return r;
}

NOINLINE static int ranges(int x)
{
    if (x < 0) return -1;
    if (x > 100) return x >= 50 ? 1 : 2;
    if (x / 4 > 30) return 3;
    return x % 8 + x / 8 + (x >> 2);
}

NOINLINE static int pairs(int a, int b)
{
    if (a == b) return a != b ? 9 : 0;
    if (a < b) return b > a ? (a <= b) + (unsigned)(a < b) : 7;
    return a > b ? 5 : 6;
}

NOINLINE static int null_after(int *p) { int v = *p; return p ? v : -1; }

NOINLINE static int mixed(int x, unsigned u)
{
    int r = 0;
    if ((unsigned)x < 16u) r |= x >= 0 ? 1 : 2;
    if (u > 0x7fffffffu) r |= (int)u < 0 ? 4 : 8;
    if (x > INT_MAX - 1) r |= x == INT_MAX ? 16 : 32;
    if (x != 0) { if (x == 0) r |= 64; } else r |= 128;
    return r;
}

NOINLINE static int constant_loop(int n)
{
    int one = 1, sum = 0;
    for (int i = 0; i < n; i++) { if (one != 1) one = 2; sum += one; }
    return sum * one;
}

NOINLINE static int chain(int x)
{
    int t = x == 3;
    int k = t ? 5 : x;
    if (k == 5) { if (x == 3) return 30; return 50; }
    return k;
}

NOINLINE static int cases(unsigned x)
{
    switch (x) {
    case 1: case 2: case 3: return x > 3 ? 99 : x == 2 ? 20 : 10;
    case 9: return x == 9;
    default: return x == 9 ? 98 : 0;
    }
}

NOINLINE static int algebra(int a, int b, int c)
{
    int x = (a + 1) + (b - a) + (c + 2) - b;
    int y = (a ^ b ^ a) + (b & c & 12 & 10) + a * 3 * b * 5;
    unsigned z = (unsigned)a * 3 + (unsigned)a * 4 - (unsigned)a;
    return x + y + (int)z;
}

int main(void)
{
    const char *inputs[] = {"", "12", "-7", "+", "x1", "1x2", "+-1", "123456"};
    for (int i = 0; i < 8; i++) printf("%d ", state_machine(inputs[i]));
    puts("");
    int xs[] = {INT_MIN, -1, 0, 1, 3, 5, 9, 11, 16, 50, 100, 101, 121, INT_MAX};
    for (int i = 0; i < 14; i++) {
        int x = xs[i];
        printf("%d %d %d %d %d %d %d |", flags(x % 1000, 12), flags(x % 1000, 2), ranges(x), mixed(x, (unsigned)x), chain(x), cases((unsigned)x),
               algebra(x % 100, 7, x % 13));
        for (int j = 0; j < 14; j += 3) printf(" %d", pairs(x, xs[j]));
        puts("");
    }
    int v = 4;
    printf("%d %d %d\n", null_after(&v), constant_loop(10), constant_loop(-1));
}
