// Nests whose rows or columns are filled while something happens on a diagonal: accesses that differ
// modulo the length of a row, and some that do not.
#include <stdio.h>

#define N 40
#define M 32

static float wide[M][M], tall[N + 8][N + 2];
static unsigned whole[M][M], skewed[N * N];

#define KERNEL static __attribute__((noinline))

KERNEL void identity(void)
{
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < M; j++)
            wide[j][i] = 0;
        wide[i][i] = 1;
    }
}

// The element is in the column of the next iteration, or is one of the row's before.
KERNEL void beside(int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < M; j++)
            whole[j][i] = i + j;
        whole[i][i + 1] = -i;
    }
    for (int i = 1; i < n; i++) {
        whole[i][i - 1] = i * 7;
        for (int j = 0; j < M; j++)
            whole[j][i] += j;
    }
}

KERNEL void diagonal_first(int n)
{
    for (int i = 0; i < n; i++) {
        whole[i][i] = 3;
        for (int j = 0; j < M; j++)
            whole[j][i] = whole[j][i] * 2 + 1;
    }
}

KERNEL void trace(int n)
{
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < N; j++)
            s += tall[j][i];
        tall[i][i] = s + tall[i + 1][i + 2];
    }
}

// Rows whose length is no power of two, nor a multiple of a large one.
KERNEL void skew(int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 20; j++)
            skewed[j * 37 + i] = i;
        skewed[i * 38] = 2;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 20; j++)
            skewed[j * 36 + i] += 5;
        skewed[i * 37 + 2] *= 3;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 20; j++)
            skewed[j * 8 + i] += 5;
        skewed[i * 9] *= 3;
    }
}

int main(void)
{
    for (int n = 0; n < 31; n++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                tall[i][j] = i * 3 - j;
        identity();
        beside(n);
        diagonal_first(n);
        trace(n);
        skew(n);
        unsigned h = 1;
        for (int i = 0; i < M; i++)
            for (int j = 0; j < M; j++)
                h = h * 31 + whole[i][j] + (int)wide[i][j];
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                h = h * 31 + skewed[i * N + j] + (int)tall[i][j];
        printf("%d: %x\n", n, h);
    }
    return 0;
}
