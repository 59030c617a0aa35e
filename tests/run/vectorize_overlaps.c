// interpreter flags: -fwrapv
// flags: -O3
// checked: conversion, large floating-point numbers become unsigned ones
// Loops over pointers into one array, at every distance: a vector loop must not see stores of rounds that have not run yet.
#include <stdio.h>
#include <string.h>

enum { N = 96 };

#define KERNELS(T)                                                                                                     \
    static T memory_##T[N * 2];                                                                                        \
    __attribute__((noinline)) static void copy_##T(T *d, const T *a, int n)                                           \
    {                                                                                                                  \
        for (int i = 0; i < n; i++)                                                                                    \
            d[i] = a[i] + 1;                                                                                           \
    }                                                                                                                  \
    __attribute__((noinline)) static void down_##T(T *d, const T *a, int n)                                           \
    {                                                                                                                  \
        for (int i = n - 1; i >= 0; i--)                                                                               \
            d[i] = a[i] + 1;                                                                                           \
    }                                                                                                                  \
    __attribute__((noinline)) static void two_##T(T *d, T *e, int n)                                                  \
    {                                                                                                                  \
        for (int i = 0; i < n; i++) {                                                                                  \
            T v = e[i];                                                                                                \
            d[i] = v * 2;                                                                                              \
            e[i] = v + 5;                                                                                              \
        }                                                                                                              \
    }                                                                                                                  \
    __attribute__((noinline)) static T through_##T(T *d, const T *factor, int n)                                      \
    {                                                                                                                  \
        T s = 0;                                                                                                       \
        for (int i = 0; i < n; i++) {                                                                                  \
            d[i] = d[i] + *factor;                                                                                     \
            s += d[i];                                                                                                 \
        }                                                                                                              \
        return s;                                                                                                      \
    }                                                                                                                  \
    static void fill_##T(void)                                                                                         \
    {                                                                                                                  \
        for (int i = 0; i < N * 2; i++)                                                                                \
            memory_##T[i] = (T)(i * i + 3);                                                                            \
    }                                                                                                                  \
    static unsigned run_##T(unsigned h)                                                                                \
    {                                                                                                                  \
        for (int apart = -20; apart <= 20; apart++)                                                                    \
            for (int n = 0; n <= 70; n += n < 20 ? 3 : 17) {                                                           \
                T *base = memory_##T + 30 + n % 4;                                                                     \
                fill_##T();                                                                                            \
                copy_##T(base, base + apart, n);                                                                       \
                down_##T(base, base + apart, n);                                                                       \
                two_##T(base, base + apart, n);                                                                        \
                h = h * 31 + (unsigned)through_##T(base, base + apart, n);                                             \
                for (int i = 0; i < N * 2; i++)                                                                        \
                    h = h * 16777619 + (unsigned)memory_##T[i];                                                        \
            }                                                                                                          \
        return h;                                                                                                      \
    }

typedef unsigned char u8;
KERNELS(u8)
KERNELS(short)
KERNELS(int)
KERNELS(long)
KERNELS(float)

// Known distances within one array.
static int a[N * 2];

#define APART(K)                                                                                                       \
    __attribute__((noinline)) static void ahead_##K(void)                                                             \
    {                                                                                                                  \
        for (int i = 0; i < 64; i++)                                                                                   \
            a[i] = a[i + K] + i;                                                                                       \
    }                                                                                                                  \
    __attribute__((noinline)) static void behind_##K(void)                                                            \
    {                                                                                                                  \
        for (int i = 0; i < 64; i++)                                                                                   \
            a[i + K] = a[i] + i;                                                                                       \
    }                                                                                                                  \
    __attribute__((noinline)) static void both_##K(void)                                                              \
    {                                                                                                                  \
        for (int i = 0; i < 64; i++) {                                                                                 \
            a[i + K] = i;                                                                                              \
            a[i] = a[i] * 3 + 1;                                                                                       \
        }                                                                                                              \
    }

#define ALL(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(12) X(16) X(17) X(20) X(31) X(32) X(64)
ALL(APART)

static unsigned known(unsigned h)
{
#define CALL(K)                                                                                                        \
    for (int i = 0; i < N * 2; i++)                                                                                    \
        a[i] = i * 7;                                                                                                  \
    ahead_##K(), behind_##K(), both_##K();                                                                             \
    for (int i = 0; i < N * 2; i++)                                                                                    \
        h = h * 16777619 + (unsigned)a[i];
    ALL(CALL)
    return h;
}

int main(void)
{
    unsigned h = 1;
#define SHOW(T) printf(#T " %08x\n", h = run_##T(h))
    SHOW(u8);
    SHOW(short);
    SHOW(int);
    SHOW(long);
    SHOW(float);
    printf("known %08x\n", known(h));
    return 0;
}
