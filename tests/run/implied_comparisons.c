/* What one comparison says about another, with every order of NaN and sign. */
#include <math.h>
#include <stdio.h>

#define TRY(first, second) ((first) ? (second) ? 'T' : 'F' : (second) ? 't' : 'f')
#define ROW(a, x, y) \
    TRY(a, x < y), TRY(a, x <= y), TRY(a, x > y), TRY(a, x >= y), TRY(a, x == y), TRY(a, x != y), TRY(a, y < x)
#define FORMAT "%c%c%c%c%c%c%c "

__attribute__((noinline)) static void ints(int x, int y)
{
    printf(FORMAT FORMAT, ROW(x < y, x, y), ROW(x == y, x, y));
    printf(FORMAT FORMAT "\n", ROW(x >= y, x, y), ROW((unsigned)x > (unsigned)y, x, y));
}

__attribute__((noinline)) static void constants(int x)
{
    printf(FORMAT FORMAT, ROW(x < 5, x, 3), ROW(x > -2, x, -2));
    printf(FORMAT FORMAT "\n", ROW((unsigned)x < 9, x, 0), ROW(x != 4, x, 4));
}

__attribute__((noinline)) static void doubles(double x, double y)
{
    printf(FORMAT FORMAT, ROW(x < y, x, y), ROW(x == y, x, y));
    printf(FORMAT FORMAT, ROW(x >= y, x, y), ROW(isunordered(x, y), x, y));
    printf("%d %d\n", fabs(x) < 0, x > HUGE_VAL);
}

int main(void)
{
    static const int numbers[] = {-3, -2, -1, 0, 2, 3, 4, 5, 8, 9};
    static const double reals[] = {-1.5, -0.0, 0.0, 2, INFINITY, NAN};
    for (int i = 0; i < 10; i++) {
        constants(numbers[i]);
        for (int j = 0; j < 10; j += 3)
            ints(numbers[i], numbers[j]);
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            doubles(reals[i], reals[j]);
    return 0;
}
