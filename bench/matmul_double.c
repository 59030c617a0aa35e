/* Measures: dense double matrix products, row times column and blocked, on matrices of 320 x 320.
   Inner loops are multiply-add chains over two address streams, one of them strided. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 320, BLOCK = 32, ROUNDS = 8 };

typedef struct {
    int rows, cols;
    double *cell;
} Matrix;

static Matrix matrix_new(int rows, int cols) {
    Matrix m = {rows, cols, calloc((size_t)rows * (size_t)cols, sizeof(double))};
    if (!m.cell) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return m;
}

static double *at(Matrix m, int row, int col) {
    return &m.cell[(size_t)row * (size_t)m.cols + (size_t)col];
}

static void fill(Matrix m, unsigned seed) {
    for (int i = 0; i < m.rows; i++)
        for (int j = 0; j < m.cols; j++) {
            seed = seed * 1664525u + 1013904223u;
            *at(m, i, j) = (double)(seed >> 16) / 65536.0 - 0.5;
        }
}

/* The textbook product: each cell of the result is one dot product. */
static void multiply_simple(Matrix out, Matrix a, Matrix b) {
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < b.cols; j++) {
            double sum = 0;
            for (int k = 0; k < a.cols; k++)
                sum += *at(a, i, k) * *at(b, k, j);
            *at(out, i, j) = sum;
        }
}

static int min_int(int a, int b) {
    return a < b ? a : b;
}

/* The same by tiles; the inner loop runs along rows of `b` and `out`. */
static void multiply_blocked(Matrix out, Matrix a, Matrix b) {
    for (int i = 0; i < out.rows * out.cols; i++)
        out.cell[i] = 0;
    for (int kk = 0; kk < a.cols; kk += BLOCK)
        for (int jj = 0; jj < b.cols; jj += BLOCK)
            for (int i = 0; i < a.rows; i++)
                for (int k = kk; k < min_int(kk + BLOCK, a.cols); k++) {
                    double factor = *at(a, i, k);
                    const double *from = at(b, k, 0);
                    double *to = at(out, i, 0);
                    for (int j = jj; j < min_int(jj + BLOCK, b.cols); j++)
                        to[j] += factor * from[j];
                }
}

static double trace(Matrix m) {
    double sum = 0;
    for (int i = 0; i < m.rows; i++)
        sum += *at(m, i, i);
    return sum;
}

int main(void) {
    Matrix a = matrix_new(N, N), b = matrix_new(N, N), c = matrix_new(N, N);
    fill(a, 1);
    fill(b, 2);
    double sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        multiply_simple(c, a, b);
        sum += trace(c);
        multiply_blocked(a, b, c);
        sum -= trace(a) / N;
        for (int i = 0; i < N * N; i++)
            a.cell[i] = a.cell[i] / N + 1e-3;
    }
    printf("matmul_double %.9f\n", sum);
    free(a.cell);
    free(b.cell);
    free(c.cell);
    return 0;
}
