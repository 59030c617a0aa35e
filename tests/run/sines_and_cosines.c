// flags: -lm
// Sine and cosine of one angle: in one block, behind a branch, on both sides of one, in a loop where neither changes.
#include <math.h>
#include <stdio.h>

static double table[64];
static int factor;

__attribute__((noinline)) static double behind(double x, int k)
{
    double s = sin(x);
    if (k)
        return s * cos(x);
    return s;
}

__attribute__((noinline)) static void loop(double w, int n)
{
    for (int i = 0; i < n; i++)
        table[i] = sin(w) * i + cos(w) * factor;
}

__attribute__((noinline)) static float quotient(float x)
{
    return sinf(x) / cosf(x);
}

__attribute__((noinline)) static double sides(double x, double y, int k)
{
    double r;
    if (k > 2)
        r = sin(x) + cos(y);
    else
        r = cos(x) + sin(y);
    return r + sin(x + y) * cos(x + y);
}

// What a call of the library leaves alone stays in registers.
__attribute__((noinline)) static double between(double *p, double x)
{
    double before = *p;
    double s = sin(x);
    *p = before + s;
    return cos(x) + *p;
}

int main(int count, char **arguments)
{
    (void)arguments;
    double sum = 0;
    for (int i = 0; i < 200; i++) {
        sum += behind(i * 0.37, i & 1) + quotient(i * 0.11f) + sides(i, i * 2.5, i % 5);
        sum += between(&table[i % 64], i);
    }
    factor = count;
    loop(0.7, 64);
    for (int i = 0; i < 64; i++)
        sum += table[i];
    printf("%.9g\n", sum);
    return 0;
}
