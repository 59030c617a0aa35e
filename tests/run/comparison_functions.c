/* What comparison functions return, compared with every constant that tells outcomes apart, in every way; joins of comparisons of the same values. */
#include <limits.h>
#include <stdio.h>

static int by_choice(int a, int b) { return a < b ? -1 : a > b; }
static int by_ifs(int a, int b)
{
    if (a < b)
        return -1;
    if (a > b)
        return 1;
    return 0;
}
static int by_difference(int a, int b) { return (a > b) - (a < b); }
static int by_unsigned(unsigned a, unsigned b) { return (a > b) - (a < b); }
static int odd_numbers(int a, int b) { return a == b ? 7 : a < b ? -5 : 100; }
static int mixed(int a, int b) { return (a > b) - ((unsigned)a < (unsigned)b); }
static signed char narrow(signed char a, signed char b) { return (signed char)(a < b ? -1 : a > b); }

static unsigned sum;
static void note(int truth) { sum = sum * 31 + (unsigned)truth + 1; }

#define EACH(f, a, b, k)                                                                                               \
    (note(f(a, b) < k), note(f(a, b) <= k), note(f(a, b) == k), note(f(a, b) != k), note(f(a, b) >= k), note(f(a, b) > k), \
     note((unsigned)f(a, b) < (unsigned)k), note((unsigned)f(a, b) > (unsigned)k))
#define ALL(f, a, b) (EACH(f, a, b, -1), EACH(f, a, b, 0), EACH(f, a, b, 1), EACH(f, a, b, 7), EACH(f, a, b, -5), EACH(f, a, b, 2))

static void joins(int a, int b)
{
    note((a < b) | (a == b));
    note((a < b) & (b > a));
    note((a < b) ^ (a <= b));
    note((a < b) & (a > b));
    note((a <= b) | (a > b));
    note((a != b) & (a >= b));
    note((a < b) | ((unsigned)a < (unsigned)b));
    note((a < b) ^ ((unsigned)b > (unsigned)a));
    note(!(a < b) & !(b < a));
    note((a < b || a == b) && b != a);
}

static int branch(int a, int b)
{
    if (by_choice(a, b) < 0)
        return 1;
    if (by_difference(b, a) < 0)
        return 2;
    return by_ifs(a, b) == 0 ? 3 : 4;
}

int main(void)
{
    static const int samples[] = {INT_MIN, INT_MIN + 1, -129, -128, -2, -1, 0, 1, 2, 127, 128, 255, INT_MAX - 1, INT_MAX};
    enum { N = sizeof samples / sizeof *samples };
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            int a = samples[i], b = samples[j];
            ALL(by_choice, a, b);
            ALL(by_ifs, a, b);
            ALL(by_difference, a, b);
            ALL(by_unsigned, (unsigned)a, (unsigned)b);
            ALL(odd_numbers, a, b);
            ALL(mixed, a, b);
            ALL(narrow, (signed char)a, (signed char)b);
            joins(a, b);
            note(branch(a, b));
        }
        printf("%u\n", sum);
    }
    return 0;
}
