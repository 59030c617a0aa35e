// flags: -lm
// Floats that a comparison chooses: constants, and factors of what is kept otherwise. Each function is compared with one that
// cannot be converted, bit by bit, and must raise the same exceptions.
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FUNCTIONS(NAME, T, COMPARE)                                                            \
    static __attribute__((noinline)) T constant_##NAME(T a, T b, T x) {                        \
        (void)x;                                                                               \
        return COMPARE ? (T)1.5 : (T)-0.1;                                                     \
    }                                                                                          \
    static __attribute__((noinline)) T zero_##NAME(T a, T b, T x) {                            \
        (void)x;                                                                               \
        return COMPARE ? (T)-0.0 : (T)0.0;                                                     \
    }                                                                                          \
    static __attribute__((noinline)) T factor_##NAME(T a, T b, T x) {                          \
        if (COMPARE)                                                                           \
            x *= (T)0.1;                                                                       \
        return x;                                                                              \
    }                                                                                          \
    static __attribute__((noinline)) T other_##NAME(T a, T b, T x) {                           \
        if (!(COMPARE))                                                                        \
            x = (T)1e30 * x;                                                                   \
        return x;                                                                              \
    }                                                                                          \
    static void expect_##NAME(T a, T b, T x, T *results, int *raised) {                        \
        volatile int holds = COMPARE;                                                          \
        volatile T y = x;                                                                      \
        if (holds)                                                                             \
            y *= (T)0.1;                                                                       \
        results[2] = y;                                                                        \
        *raised = fetestexcept(FE_ALL_EXCEPT);                                                 \
        results[0] = holds ? (T)1.5 : (T)-0.1;                                                 \
        results[1] = holds ? (T)-0.0 : (T)0.0;                                                 \
        y = x;                                                                                 \
        if (!holds)                                                                            \
            y = (T)1e30 * y;                                                                   \
        results[3] = y;                                                                        \
    }                                                                                          \
    static int check_##NAME(T a, T b, T x) {                                                   \
        T expected[4], found[4];                                                               \
        int raised;                                                                            \
        feclearexcept(FE_ALL_EXCEPT);                                                          \
        expect_##NAME(a, b, x, expected, &raised);                                             \
        feclearexcept(FE_ALL_EXCEPT);                                                          \
        found[2] = factor_##NAME(a, b, x);                                                     \
        int wrong = fetestexcept(FE_ALL_EXCEPT) != raised;                                     \
        found[0] = constant_##NAME(a, b, x);                                                   \
        found[1] = zero_##NAME(a, b, x);                                                       \
        found[3] = other_##NAME(a, b, x);                                                      \
        return wrong || memcmp(expected, found, sizeof found);                                 \
    }

#define CONDITIONS(T, S)                                                                       \
    FUNCTIONS(less_##S, T, (a < b))                                                            \
    FUNCTIONS(less_equal_##S, T, (a <= b))                                                     \
    FUNCTIONS(greater_##S, T, (a > b))                                                         \
    FUNCTIONS(not_less_##S, T, !(a < b))                                                       \
    FUNCTIONS(equal_##S, T, (a == b))                                                          \
    FUNCTIONS(different_##S, T, (a != b))                                                      \
    FUNCTIONS(isless_##S, T, isless(a, b))                                                     \
    FUNCTIONS(islessgreater_##S, T, islessgreater(a, b))                                       \
    FUNCTIONS(unordered_##S, T, isunordered(a, b))                                             \
    static int check_all_##S(T a, T b, T x) {                                                  \
        return check_less_##S(a, b, x) + check_less_equal_##S(a, b, x)                         \
               + check_greater_##S(a, b, x) + check_not_less_##S(a, b, x)                      \
               + check_equal_##S(a, b, x) + check_different_##S(a, b, x)                       \
               + check_isless_##S(a, b, x) + check_islessgreater_##S(a, b, x)                  \
               + check_unordered_##S(a, b, x);                                                 \
    }

CONDITIONS(float, single)
CONDITIONS(double, twice)

int main(void) {
    static const double values[] = {0.0, -0.0, 1.0, -1.5, 1e-40, 3e-310, 1e38, -INFINITY, NAN};
    enum { COUNT = sizeof values / sizeof *values };
    int wrong = 0, checked = 0;
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++)
            for (int k = 0; k < COUNT; k++) {
                wrong += check_all_single((float)values[i], (float)values[j], (float)values[k]);
                wrong += check_all_twice(values[i], values[j], values[k]);
                checked += 18;
            }
    printf("%d of %d differ\n", wrong, checked);
    return 0;
}
