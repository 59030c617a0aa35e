// interpreter flags: -fwrapv
// flags: -O3
// Loops with one loop inside them, several rounds of the outer one at once: sums down columns, carried values, stores in the inner loop,
// counts that the lanes do not divide, and nests that must stay as they are because their rounds meet in memory.
#include <stdio.h>
#include <string.h>

enum { ROWS = 24, COLUMNS = 40 };

#define KERNELS(T)                                                                                                     \
    static T x_##T[ROWS][COLUMNS], y_##T[ROWS][COLUMNS], z_##T[ROWS][COLUMNS], line_##T[COLUMNS * 2];                  \
    __attribute__((noinline)) static void product_##T(int rows, int n, int m)                                         \
    {                                                                                                                  \
        for (int i = 0; i < rows; i++)                                                                                 \
            for (int j = 0; j < n; j++) {                                                                              \
                T s = 0;                                                                                               \
                for (int k = 0; k < m; k++)                                                                            \
                    s += x_##T[i][k] * y_##T[k][j];                                                                    \
                z_##T[i][j] = s;                                                                                       \
            }                                                                                                          \
    }                                                                                                                  \
    __attribute__((noinline)) static void in_place_##T(int n, int m)                                                  \
    {                                                                                                                  \
        for (int j = 0; j < n; j++)                                                                                    \
            for (int k = 0; k < m; k++)                                                                                \
                z_##T[3][j] += x_##T[k][1] * y_##T[k][j];                                                              \
    }                                                                                                                  \
    __attribute__((noinline)) static void columns_##T(int n, int m)                                                   \
    {                                                                                                                  \
        for (int j = 0; j < n; j++)                                                                                    \
            for (int k = 0; k < m; k++)                                                                                \
                z_##T[k][j] = z_##T[k][j] + x_##T[k][j] * (T)k;                                                        \
    }                                                                                                                  \
    __attribute__((noinline)) static void down_##T(int n, int m)                                                      \
    {                                                                                                                  \
        for (int j = 0; j < n; j++)                                                                                    \
            for (int k = 1; k < m; k++)                                                                                \
                z_##T[k][j] = z_##T[k - 1][j] + x_##T[k][j];                                                           \
    }                                                                                                                  \
    __attribute__((noinline)) static void across_##T(int n, int m)                                                    \
    {                                                                                                                  \
        for (int j = 0; j < n; j++)                                                                                    \
            for (int k = 1; k < m; k++)                                                                                \
                z_##T[k][j + 1] = z_##T[k - 1][j] + x_##T[k][j];                                                       \
    }                                                                                                                  \
    __attribute__((noinline)) static void spread_##T(int n, int m)                                                    \
    {                                                                                                                  \
        for (int j = 0; j < n; j++)                                                                                    \
            for (int k = 0; k < m; k++)                                                                                \
                line_##T[j + k] = line_##T[j + k] * (T)2 + x_##T[0][k];                                                \
    }                                                                                                                  \
    __attribute__((noinline)) static void filter_##T(int n, int m)                                                    \
    {                                                                                                                  \
        for (int j = 0; j < n; j++) {                                                                                  \
            T s = x_##T[1][j], largest = 0;                                                                            \
            for (int k = 0; k < m; k++) {                                                                              \
                s -= line_##T[j + k] * y_##T[2][k];                                                                    \
                largest = s > largest ? s : largest;                                                                   \
            }                                                                                                          \
            z_##T[5][j] = s;                                                                                           \
            z_##T[6][j] = largest;                                                                                     \
        }                                                                                                              \
    }                                                                                                                  \
    __attribute__((noinline)) static int backwards_##T(int n, int m)                                                  \
    {                                                                                                                  \
        int j;                                                                                                         \
        for (j = n - 1; j >= 0; j--) {                                                                                 \
            T s = 1;                                                                                                   \
            for (int k = m; k > 0; k -= 2)                                                                             \
                s = s * (T)3 + x_##T[k][j];                                                                            \
            z_##T[7][j] = s;                                                                                           \
        }                                                                                                              \
        return j;                                                                                                      \
    }                                                                                                                  \
    __attribute__((noinline)) static void fixed_##T(void)                                                             \
    {                                                                                                                  \
        for (int j = 0; j < 16; j++) {                                                                                 \
            T s = 0;                                                                                                   \
            for (int k = 0; k < ROWS; k++)                                                                             \
                s += y_##T[k][j + 1];                                                                                  \
            z_##T[8][j] = s;                                                                                           \
        }                                                                                                              \
    }                                                                                                                  \
    static unsigned run_##T(unsigned h)                                                                                \
    {                                                                                                                  \
        for (int n = 0; n <= 38; n += n < 4 ? 1 : n < 20 ? 5 : 9)                                                      \
            for (int m = 1; m <= 23; m += m < 2 ? 1 : 10) {                                                            \
                for (int i = 0; i < ROWS; i++)                                                                         \
                    for (int j = 0; j < COLUMNS; j++) {                                                                \
                        x_##T[i][j] = (T)((i * 7 + j * 3) % 5);                                                        \
                        y_##T[i][j] = (T)((i * 5 + j * 11) % 7);                                                       \
                        z_##T[i][j] = (T)(i + j);                                                                      \
                    }                                                                                                  \
                for (int j = 0; j < COLUMNS * 2; j++)                                                                  \
                    line_##T[j] = (T)(j % 3);                                                                          \
                product_##T(3, n, m);                                                                                  \
                in_place_##T(n, m);                                                                                    \
                columns_##T(n, m);                                                                                     \
                down_##T(n, m);                                                                                        \
                across_##T(n, m);                                                                                      \
                spread_##T(n, m / 3);                                                                                  \
                filter_##T(n, m);                                                                                      \
                h = h * 31 + (unsigned)backwards_##T(n, m);                                                            \
                fixed_##T();                                                                                           \
                for (int i = 0; i < ROWS; i++)                                                                         \
                    for (int j = 0; j < COLUMNS; j++)                                                                  \
                        h = h * 16777619 + hashed_##T(z_##T[i][j]);                                                    \
                for (int j = 0; j < COLUMNS * 2; j++)                                                                  \
                    h = h * 16777619 + hashed_##T(line_##T[j]);                                                        \
            }                                                                                                          \
        return h;                                                                                                      \
    }

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;
typedef unsigned long u64;

#define INTEGER(T)                                                                                                     \
    static unsigned hashed_##T(T v)                                                                                    \
    {                                                                                                                  \
        return (unsigned)((unsigned long)v ^ (unsigned long)v >> 32);                                                  \
    }                                                                                                                  \
    KERNELS(T)
#define FLOATING(T, BITS)                                                                                              \
    static unsigned hashed_##T(T v)                                                                                    \
    {                                                                                                                  \
        BITS bits;                                                                                                     \
        memcpy(&bits, &v, sizeof bits);                                                                                \
        return (unsigned)((unsigned long)bits ^ (unsigned long)bits >> 32);                                            \
    }                                                                                                                  \
    KERNELS(T)

INTEGER(u8)
INTEGER(short)
INTEGER(u16)
INTEGER(int)
INTEGER(u32)
INTEGER(long)
INTEGER(u64)
FLOATING(float, unsigned)
FLOATING(double, unsigned long)

int main(void)
{
    printf("u8 %08x\n", run_u8(1));
    printf("short %08x\n", run_short(1));
    printf("u16 %08x\n", run_u16(1));
    printf("int %08x\n", run_int(1));
    printf("u32 %08x\n", run_u32(1));
    printf("long %08x\n", run_long(1));
    printf("u64 %08x\n", run_u64(1));
    printf("float %08x\n", run_float(1));
    printf("double %08x\n", run_double(1));
    return 0;
}
