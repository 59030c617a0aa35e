/* Loops that load what the iteration before has stored: all trip counts up to four vectors, before and after the store, beside
   stores to what is loaded elsewhere, from one and from two iterations before, upwards and downwards. */
#include <stdio.h>
#include <string.h>

enum { MOST = 70 };

#define LOOPS(T, name) \
    __attribute__((noinline)) static void after_##name(T *restrict a, T *restrict b, T *restrict d, int n) { \
        for (int i = 0; i < n; i++) { \
            a[i + 1] = (T)(b[i] + 3); \
            b[i] = (T)(b[i] * 2); \
            d[i] = (T)(a[i] * 5); \
        } \
    } \
    __attribute__((noinline)) static void before_##name(T *restrict a, T *restrict b, T *restrict d, int n) { \
        for (int i = 0; i < n; i++) { \
            T x = (T)(b[i] + 3); \
            d[i] = (T)(a[i] * 5 + x); \
            a[i + 1] = x; \
        } \
    } \
    __attribute__((noinline)) static void two_##name(T *restrict a, T *restrict b, T *restrict d, int n) { \
        for (int i = 0; i < n; i++) { \
            a[i + 2] = (T)(b[i] + 3); \
            d[i] = (T)(a[i] * 5 + a[i + 1]); \
        } \
    } \
    __attribute__((noinline)) static T down_##name(T *restrict a, T *restrict b, T *restrict d, int n) { \
        T last = 1; \
        for (int i = n; i > 0; i--) { \
            a[i] = (T)(b[i] + 3); \
            last = a[i + 1]; \
            d[i] = (T)(last * 5); \
        } \
        return last; \
    } \
    __attribute__((noinline)) static void sums_##name(T *restrict a, T *restrict b, int n) { \
        for (int i = 0; i < n; i++) \
            a[i + 1] = (T)(a[i] + b[i]); \
    } \
    static unsigned try_##name(void) { \
        unsigned sum = 0; \
        for (int n = 0; n <= MOST - 4; n++) { \
            T a[MOST], b[MOST], d[MOST]; \
            for (int i = 0; i < MOST; i++) { \
                a[i] = (T)(i * 7 % 11); \
                b[i] = (T)(i * 5 % 13); \
                d[i] = 1; \
            } \
            after_##name(a, b, d, n); \
            sum = added(added(added(sum, a, sizeof a), b, sizeof b), d, sizeof d); \
            before_##name(a, b, d, n); \
            sum = added(added(sum, a, sizeof a), d, sizeof d); \
            for (int i = 0; i < MOST; i++) \
                a[i] = b[i] = (T)(i * 3 % 17); \
            two_##name(a, b, d, n); \
            sum = added(added(sum, a, sizeof a), d, sizeof d); \
            sum = sum * 7 + (unsigned)down_##name(a, b, d, n); \
            sum = added(added(sum, a, sizeof a), d, sizeof d); \
            for (int i = 0; i < MOST; i++) \
                a[i] = b[i] = (T)(i % 2); \
            sums_##name(a, b, n); \
            sum = added(sum, a, sizeof a); \
        } \
        return sum; \
    }

static unsigned added(unsigned sum, const void *from, unsigned size) {
    const unsigned char *bytes = from;
    for (unsigned i = 0; i < size; i++)
        sum = sum * 31 + bytes[i];
    return sum;
}

LOOPS(unsigned char, i8)
LOOPS(short, i16)
LOOPS(int, i32)
LOOPS(long long, i64)
LOOPS(float, f32)
LOOPS(double, f64)

int main(void) {
    printf("%u %u %u %u %u %u\n", try_i8(), try_i16(), try_i32(), try_i64(), try_f32(), try_f64());
    return 0;
}
