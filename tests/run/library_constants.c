// Calls of library functions in static initialisers are folded, as gcc folds them.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

static double pi = 4 * atan(1.0);
static double of_one[] = { sqrt(2.0), floor(-2.5), ceil(2.25), trunc(-2.75), round(2.5), fabs(-3), exp(0.0), cbrt(27.0) };
static double of_two[] = { pow(2, 10), fmod(7, 4), fmax(1, 2), fmin(1, 2), hypot(3, 4), atan2(0.0, 1.0), fdim(3, 1) };
static float singles[] = { sqrtf(2.0f), floorf(-0.5f), powf(2, -2), __builtin_sqrtf(16) };
static unsigned long lengths[] = { strlen("four"), strlen("four" + 1), strlen("a\0b"), __builtin_strlen(""), strspn("aabc", "a"), strcspn("xyz", "z") };
static int orders[] = { strcmp("a", "a"), strcmp("a", "b"), strncmp("abc", "abd", 2), abs(-3) };
static const char *places[] = { strchr("abc", 'b'), strrchr("abab", 'b'), strstr("hello", "ll"), strchr("abc", 'x'), strpbrk("key=value", "=:") };
static double not_a_number = nan("0x123");
static float single_not_a_number = nanf("");
enum { N = sizeof "abc" };
static char table[N * 2];

int main(void)
{
    static double local = 1 / sqrt(4.0);
    printf("%.15f %g\n", pi, local);
    for (unsigned i = 0; i < sizeof of_one / sizeof *of_one; i++) printf("%.15g ", of_one[i]);
    for (unsigned i = 0; i < sizeof of_two / sizeof *of_two; i++) printf("%.15g ", of_two[i]);
    for (unsigned i = 0; i < sizeof singles / sizeof *singles; i++) printf("%.8g ", singles[i]);
    printf("\n%d", signbit(singles[1]) != 0);
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) printf(" %lu", lengths[i]);
    for (unsigned i = 0; i < sizeof orders / sizeof *orders; i++) printf(" %d", orders[i]);
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) printf(" %s", places[i] ? places[i] : "none");
    printf(" %zu\n", sizeof table);
    unsigned long bits;
    memcpy(&bits, &not_a_number, sizeof bits);
    printf("%lx %d\n", bits, isnan(single_not_a_number));
    return 0;
}
