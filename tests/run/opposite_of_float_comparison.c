// The opposite of a comparison with NaN as a number: equality wants two flags of the processor,
// negated as well.
#include <stdio.h>

double zero, values[4] = {1.0, 2.0, 0.0, -1.0};
float narrow;
short as_short;
unsigned char as_byte;
long as_long;
_Bool as_bool;

__attribute__((noinline)) static void store(double a, double b) {
    as_short = (a != b) ^ 1UL;
    as_byte = (a == b) ^ 1;
    as_long = !(a != b);
    as_bool = !(a == b);
}

__attribute__((noinline)) static int number(double a, double b) { return (a != b) ^ 1; }
__attribute__((noinline)) static int opposite(double a, double b) { return (a == b) ^ 1; }
__attribute__((noinline)) static long sum(float a, float b) { return (long)((a != b) ^ 1) + 10 * (long)((a == b) ^ 1); }
__attribute__((noinline)) static long double chosen(double a, double b, long double x, long double y) {
    return (a != b) ^ 1 ? x : y;
}
__attribute__((noinline)) static double taken(double a, double b, double x, double y) { return (a == b) ^ 1 ? x : y; }
__attribute__((noinline)) static long kept(double a, double b, long x, long y) { return (a != b) ^ 1 ? x : y; }

int main(void) {
    double nan = zero / values[2];
    double operands[] = {1.0, 2.0, nan};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double a = operands[i], b = operands[j];
            store(a, b);
            printf("%d %d %ld %d", as_short, as_byte, as_long, as_bool);
            printf(" %d %d %ld", number(a, b), opposite(a, b), sum((float)a, (float)b));
            printf(" %Lg %g %ld\n", chosen(a, b, 3.0L, 4.0L), taken(a, b, 5, 6), kept(a, b, 7, 8));
        }
    }
    return 0;
}
