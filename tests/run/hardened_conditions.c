// flags: -fharden-compares -fharden-conditional-branches
// Conditions that are computed twice have the same answer twice, of every type, NaNs included.
#include <math.h>
#include <stdio.h>

#define VALUES(T, name) \
    __attribute__((noinline)) static int name(T a, T b) { int r = (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3; \
        if (a > b) r |= 16; if (a >= b) r |= 32; return r; }

VALUES(signed char, of_chars)
VALUES(unsigned, of_unsigned)
VALUES(long, of_longs)
VALUES(__int128, of_wide)
VALUES(float, of_floats)
VALUES(double, of_doubles)
VALUES(long double, of_long_doubles)
VALUES(__float128, of_quads)
VALUES(_Float16, of_halves)
VALUES(char *, of_pointers)
VALUES(_Bool, of_booleans)

static int collatz(unsigned n) {
    int steps = 0;
    for (; n != 1; steps++) n = n % 2 ? 3 * n + 1 : n / 2;
    return steps;
}

static const char *kind(int c) {
    switch (c) {
    case 'a': case 'e': case 'i': return "vowel";
    case '0' ... '9': return "digit";
    default: return c < ' ' && c >= 0 ? "control" : "other";
    }
}

int main(void) {
    char text[4];
    for (int i = 0; i < 3; i++) {
        int j = 1, a = i, b = j;
        double x = i == 2 ? NAN : i, y = j;
        printf("%d %d %d %d\n", of_chars(a, b), of_unsigned(a - 1, b), of_longs(a, b), of_wide((__int128)a << 70, (__int128)b << 70));
        printf("%d %d %d %d %d\n", of_floats(x, y), of_doubles(x, y), of_long_doubles(x, y), of_quads(x, y), of_halves(x, y));
        printf("%d %d\n", of_pointers(text + a, text + b), of_booleans(a, b));
        printf("%d %d\n", isnan(x) || signbit(x) ? 1 : 2, isless(x, y));
    }
    printf("%d %s %s %s\n", collatz(27), kind('e'), kind('\n'), kind('5'));
}
