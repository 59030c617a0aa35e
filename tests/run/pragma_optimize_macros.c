// flags: -O1
// Macros follow #pragma GCC optimize.
#include <stdio.h>

// What a macro stands for, or its own name.
#define TEXT(...) #__VA_ARGS__
#define VALUE(macro) TEXT(macro)
#define STATE { \
    VALUE(__FAST_MATH__), VALUE(__NO_MATH_ERRNO__), VALUE(__NO_SIGNED_ZEROS__), \
    VALUE(__RECIPROCAL_MATH__), VALUE(__NO_TRAPPING_MATH__), VALUE(__ASSOCIATIVE_MATH__), \
    VALUE(__ROUNDING_MATH__), VALUE(__OPTIMIZE__), VALUE(__OPTIMIZE_SIZE__), \
    VALUE(__FINITE_MATH_ONLY__)}
#define COUNT 10

static const char *const s0[COUNT] = STATE;
#pragma GCC optimize ("fast-math")
static const char *const s1[COUNT] = STATE;
#pragma GCC optimize "-fno-trapping-math,-fno-finite-math-only"
static const char *const s2[COUNT] = STATE;
#pragma GCC optimize "-fno-trapping-math","no-finite-math-only"
static const char *const s3[COUNT] = STATE;
#pragma GCC optimize ("Os")
static const char *const s4[COUNT] = STATE;
#pragma GCC optimize (2,"rounding-math")
static const char *const s5[COUNT] = STATE;
#pragma GCC optimize ("O0")
static const char *const s6[COUNT] = STATE;
#pragma GCC optimize ("Ofast")
static const char *const s7[COUNT] = STATE;
#pragma GCC optimize ("no-fast-math")
static const char *const s8[COUNT] = STATE;
#pragma GCC optimize ("unsafe-math-optimizations")
static const char *const s9[COUNT] = STATE;
#pragma GCC optimize ("no-signed-zeros")
static const char *const s10[COUNT] = STATE;
#pragma GCC optimize ("no-unsafe-math-optimizations")
static const char *const s11[COUNT] = STATE;
#pragma GCC optimize ("O3")
static const char *const s12[COUNT] = STATE;
#pragma GCC optimize ("no-reciprocal-math")
static const char *const s13[COUNT] = STATE;
#pragma GCC optimize ("fast-math")
static const char *const s14[COUNT] = STATE;
#pragma GCC optimize ("no-reciprocal-math")
static const char *const s15[COUNT] = STATE;
#pragma GCC optimize ("math-errno")
static const char *const s16[COUNT] = STATE;

static void show(int number, const char *const state[COUNT]) {
    unsigned bits = 0;
    for (int i = 0; i < COUNT; i++)
        bits |= (unsigned)(state[i][0] != '_' && state[i][0] != '0') << i;
    printf("%d %x\n", number, bits);
}

int main(void) {
    static const char *const *const states[] = {
        s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, s16,
    };
    for (int i = 0; i < (int)(sizeof states / sizeof *states); i++)
        show(i, states[i]);
    return 0;
}
