// Loops that walk arrays from the end: elements of each width, in place and apart at each distance,
// sums over them, what is left after them, and all numbers of iterations up to three registers.
#include <stdio.h>
#include <string.h>

#define APART __attribute__((noipa))

#define LOOPS(T, U)                                                                  \
    APART static void slide_##T(T *end, unsigned n, U by) {                          \
        if (n) {                                                                     \
            do {                                                                     \
                U m = *--end;                                                        \
                *end = (T)(m >= by ? m - by : 0);                                    \
            } while (--n);                                                           \
        }                                                                            \
    }                                                                                \
    APART static void move_##T(T *to, const T *from, int n) {                        \
        for (int i = n - 1; i >= 0; i--) to[i] = (T)(from[i] * 3 + 1);               \
    }                                                                                \
    APART static U sum_##T(const T *from, const T *other, int n) {                   \
        U sum = 5;                                                                   \
        for (int i = n; i-- > 0;) sum += from[i] ^ other[i];                         \
        return sum;                                                                  \
    }                                                                                \
    APART static U last_##T(T *a, int n) {                                           \
        U last = 7;                                                                  \
        for (int i = n - 1; i >= 0; i--) {                                           \
            last = a[i] + 2u;                                                        \
            a[i] = (T)last;                                                          \
        }                                                                            \
        return last;                                                                 \
    }                                                                                \
    APART static void count_##T(T *a, int n) {                                       \
        for (int i = n - 1; i >= 0; i--) a[i] = (T)(a[i] + i);                       \
    }                                                                                \
    APART static void turn_##T(T *to, const T *from, int n) {                        \
        for (int i = 0; i < n; i++) to[n - 1 - i] = from[i];                         \
    }                                                                                \
    APART static U most_##T(const T *a, int n) {                                     \
        T most = 0;                                                                  \
        for (int i = n - 1; i >= 0; i--) most = a[i] > most ? a[i] : most;           \
        return most;                                                                 \
    }                                                                                \
    static void all_##T(void) {                                                      \
        static T memory[256], other[256];                                            \
        int widths = 3 * 16 / (int)sizeof(T);                                        \
        for (int n = 0; n <= widths + 1; n++) {                                      \
            fill(memory, sizeof memory, n), fill(other, sizeof other, n + 77);       \
            slide_##T(memory + 90 + n, (unsigned)n, (U)0x66);                        \
            slide_##T(other + 90 + n, (unsigned)n, (U)-1 >> 3);                      \
            mix(sum_##T(memory + 60, other + 50, n));                                \
            mix(last_##T(memory + 80, n));                                           \
            count_##T(other + 70, n);                                                \
            turn_##T(other + 150, memory + 77, n);                                   \
            mix(most_##T(other + 64, n));                                            \
            mix_all(memory, sizeof memory), mix_all(other, sizeof other);            \
        }                                                                            \
        for (int apart = -18; apart <= 18; apart++) {                                \
            fill(memory, sizeof memory, apart);                                      \
            move_##T(memory + 100, memory + 100 + apart, widths - 1);                \
            mix_all(memory, sizeof memory);                                          \
        }                                                                            \
        printf("%s %016lx\n", #T, hash);                                             \
    }

typedef unsigned char byte;
typedef unsigned short half;
typedef unsigned word;
typedef unsigned long giant;

static unsigned long hash = 14695981039346656037u;

static void mix(unsigned long value) { hash = (hash ^ value ^ value >> 32) * 1099511628211u; }

static void mix_all(const void *memory, unsigned long size) {
    for (const char *p = memory, *end = p + size; p < end; p += 8) {
        unsigned long value;
        memcpy(&value, p, 8);
        mix(value);
    }
}

static void fill(void *memory, unsigned long size, int seed) {
    unsigned state = (unsigned)seed * 2654435761u + 12345;
    for (unsigned long i = 0; i < size / 4; i++) {
        state = state * 1664525u + 1013904223u;
        memcpy((char *)memory + 4 * i, &state, 4);
    }
}

LOOPS(byte, unsigned)
LOOPS(half, unsigned)
LOOPS(word, unsigned)
LOOPS(giant, unsigned long)

int main(void) {
    all_byte();
    all_half();
    all_word();
    all_giant();
    return 0;
}
