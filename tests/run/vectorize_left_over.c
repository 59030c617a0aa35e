// flags: -O3 -mavx2
/* Iterations that a loop with vectors of 32 bytes leaves over, half of which are one more vector: all trip counts up to four
   vectors, known ones behind checks of addresses, upwards and downwards, values of counters and values used afterwards. */
#include <stdio.h>
#include <string.h>

enum { MOST = 140 };

#define LOOPS(T, name) \
    __attribute__((noinline)) static void sum_##name(T *a, const T *b, int n) { \
        for (int i = 0; i < n; i++) \
            a[i] = (T)(a[i] + b[i] * 3); \
    } \
    __attribute__((noinline)) static void known_##name(T *a, const T *b, const T *c) { \
        for (int i = 0; i < 62; i++) \
            a[i + 1] = (T)(c[i] + b[i + 2] - b[i]); \
        for (int i = 1; i < 23; i++) \
            a[i] = (T)(c[i + 3] + b[i]); \
    } \
    __attribute__((noinline)) static long down_##name(T *restrict a, const T *restrict b, long n) { \
        long i; \
        for (i = n; i > 3; i--) \
            a[i] = (T)(b[i] - a[i]); \
        return i; \
    } \
    __attribute__((noinline)) static T last_##name(T *restrict a, const T *restrict b, T k, int n) { \
        T x = 7; \
        for (T *end = a + n; a != end; a++, b++) { \
            x = (T)(*b + k); \
            *a = x; \
        } \
        return x; \
    } \
    __attribute__((noinline)) static void some_##name(T *restrict a, const T *restrict b, int m, int n) { \
        for (int i = m; i < n; i++) \
            if (b[i] > 4) \
                a[i] = b[i]; \
    } \
    static unsigned try_##name(void) { \
        unsigned sum = 0; \
        for (int n = 0; n <= MOST - 8; n++) { \
            T a[MOST], b[MOST], c[MOST]; \
            for (int i = 0; i < MOST; i++) { \
                a[i] = (T)(i * 7 % 11); \
                b[i] = (T)((i + n) * 5 % 13); \
                c[i] = (T)(i % 9); \
            } \
            sum_##name(a, b, n); \
            sum = added(sum, a, sizeof a); \
            sum = sum * 3 + (unsigned)down_##name(a, c, n); \
            sum = sum * 3 + (unsigned)last_##name(a + 1, b, (T)(n & 3), n); \
            sum = added(sum, a, sizeof a); \
            some_##name(a, b, n / 5, n); \
            known_##name(c, b, a); \
            sum = added(added(sum, a, sizeof a), c, sizeof c); \
            known_##name(a, a + 3, a + 1); \
            sum_##name(a + 2, a, n); \
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
LOOPS(unsigned short, i16)
LOOPS(unsigned, i32)
LOOPS(unsigned long, i64)
LOOPS(float, f32)
LOOPS(double, f64)

__attribute__((noinline)) static void counted(int *a, int n, int m) {
    for (int i = 0; i < n; i++)
        a[i] = m - 3 * i;
}

int main(void) {
    printf("%u %u %u %u\n", try_i8(), try_i16(), try_i32(), try_i64());
    printf("%u %u\n", try_f32(), try_f64());
    unsigned sum = 0;
    for (int n = 0; n < 50; n++) {
        int a[50] = { 0 };
        counted(a, n, n * n);
        sum = added(sum, a, sizeof a);
    }
    printf("%u\n", sum);
    return 0;
}
