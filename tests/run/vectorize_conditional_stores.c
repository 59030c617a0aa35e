/* Stores that only some iterations run write for no other one: all trip counts up to three vectors, all element types, two
   stores to one place, stores one after the other, memory that may not be written. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST = 52 };

#define LOOPS(T, name) \
    __attribute__((noinline)) static void clamp_##name(T *a, int n) { \
        for (int i = 0; i < n; i++) \
            if (a[i] < 0) \
                a[i] = 0; \
    } \
    __attribute__((noinline)) static void turn_##name(T *a, int n) { \
        for (int i = 0; i < n; i++) { \
            if (a[i] > 3) \
                a[i] = (T)(a[i] - 3); \
            else if (a[i] < -2) \
                a[i] = (T)(a[i] + 7); \
        } \
    } \
    __attribute__((noinline)) static void part_##name(T *restrict a, T *restrict b, T *restrict c, int n) { \
        for (int i = 0; i < n; i++) { \
            T x = a[i]; \
            if (x > 0) \
                b[i] = x; \
            if (x < 2) \
                c[i] = x; \
        } \
    } \
    static unsigned try_##name(void) { \
        T a[MOST + 2], b[MOST + 2], c[MOST + 2], wanted[3][MOST + 2]; \
        unsigned wrong = 0; \
        for (int n = 0; n <= MOST; n++) \
            for (unsigned kind = 0; kind < 4; kind++) { \
                for (int i = 0; i < MOST + 2; i++) { \
                    a[i] = (T)element(kind, i + n); \
                    b[i] = c[i] = 99; \
                } \
                memcpy(wanted[1], b, sizeof b); \
                memcpy(wanted[2], c, sizeof c); \
                part_##name(a, b, c, n); \
                for (volatile int i = 0; i < n; i++) { \
                    if (a[i] > 0) \
                        wanted[1][i] = a[i]; \
                    if (a[i] < 2) \
                        wanted[2][i] = a[i]; \
                } \
                wrong += memcmp(b, wanted[1], sizeof b) != 0 || memcmp(c, wanted[2], sizeof c) != 0; \
                memcpy(wanted[0], a, sizeof a); \
                turn_##name(a, n); \
                for (volatile int i = 0; i < n; i++) { \
                    T x = wanted[0][i]; \
                    wanted[0][i] = (T)(x > 3 ? x - 3 : x < -2 ? x + 7 : x); \
                } \
                wrong += memcmp(a, wanted[0], sizeof a) != 0; \
                clamp_##name(a, n); \
                for (volatile int i = 0; i < n; i++) \
                    wanted[0][i] = wanted[0][i] < 0 ? 0 : wanted[0][i]; \
                wrong += memcmp(a, wanted[0], sizeof a) != 0; \
            } \
        return wrong; \
    }

/* All lanes, none, every third, or as it comes. */
static int element(unsigned kind, int i) {
    switch (kind) {
    case 0:
        return 5 + i % 7;
    case 1:
        return 1;
    case 2:
        return i % 3 ? 0 : -9;
    default:
        return i * i * 7 % 23 - 11;
    }
}

LOOPS(signed char, i8)
LOOPS(short, i16)
LOOPS(int, i32)
LOOPS(long long, i64)
LOOPS(float, f32)
LOOPS(double, f64)

/* The mask and what is stored have lanes of different widths. */
__attribute__((noinline)) static void mark(const signed char *restrict from, int *restrict to, int n) {
    for (int i = 0; i < n; i++)
        if (from[i] > 1)
            to[i] = i;
}

int main(void) {
    printf("%u %u %u %u %u %u\n", try_i8(), try_i16(), try_i32(), try_i64(), try_f32(), try_f64());

    signed char from[MOST];
    int to[MOST];
    unsigned sum = 0;
    for (int i = 0; i < MOST; i++) {
        from[i] = (signed char)(i * 5 % 4);
        to[i] = -1;
    }
    mark(from, to, MOST);
    for (int i = 0; i < MOST; i++)
        sum = sum * 3 + (unsigned)(to[i] * (i % 5));
    printf("%u\n", sum);

    int *fixed = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fixed == MAP_FAILED)
        return 1;
    clamp_i32(fixed, 1024);
    clamp_i8((signed char *)fixed, 4096);
    turn_i16((short *)fixed, 2048);
    puts("nothing written");
    return 0;
}
