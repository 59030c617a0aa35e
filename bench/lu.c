/* Measures: LU decomposition with partial pivoting through an array of row pointers, triangular solves, and Cholesky in float. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 300, SMALL = 200 };

/* Rows are exchanged by exchanging their pointers; gives the sign of the permutation, 0 for a singular matrix. */
static int decompose(double **a, int *order, int n) {
    int sign = 1;
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k]))
                pivot = i;
        if (a[pivot][k] == 0)
            return 0;
        if (pivot != k) {
            double *row = a[k];
            a[k] = a[pivot];
            a[pivot] = row;
            int t = order[k];
            order[k] = order[pivot];
            order[pivot] = t;
            sign = -sign;
        }
        for (int i = k + 1; i < n; i++) {
            double factor = a[i][k] /= a[k][k];
            for (int j = k + 1; j < n; j++)
                a[i][j] -= factor * a[k][j];
        }
    }
    return sign;
}

static void solve(double **lu, const int *order, const double *b, double *x, int n) {
    for (int i = 0; i < n; i++) {
        double sum = b[order[i]];
        for (int j = 0; j < i; j++)
            sum -= lu[i][j] * x[j];
        x[i] = sum;
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = x[i];
        for (int j = i + 1; j < n; j++)
            sum -= lu[i][j] * x[j];
        x[i] = sum / lu[i][i];
    }
}

static float cholesky(float a[SMALL][SMALL]) {
    float log_determinant = 0;
    for (int j = 0; j < SMALL; j++) {
        for (int i = j; i < SMALL; i++) {
            float sum = a[i][j];
            for (int k = 0; k < j; k++)
                sum -= a[i][k] * a[j][k];
            a[i][j] = i == j ? sqrtf(sum) : sum / a[j][j];
        }
        log_determinant += logf(a[j][j]);
    }
    return log_determinant;
}

int main(void) {
    static double cells[N * N], b[N], x[N];
    static float symmetric[SMALL][SMALL];
    double *rows[N], residual = 0, sum = 0;
    int order[N], signs = 0;
    for (int round = 0; round < 36; round++) {
        for (int i = 0; i < N; i++) {
            rows[i] = &cells[i * N];
            b[i] = i % 10;
            for (int j = 0; j < N; j++)
                rows[i][j] = (i * 31 + j * 17 + i * j % (101 + round)) % 211 / 211.0 - (i == j ? 3 : 0);
        }
        int sign = decompose(rows, order, N);
        if (sign == 0)
            return 1;
        signs += sign;
        solve(rows, order, b, x, N);
        for (int i = 0; i < N; i += 7) {
            double r = -b[i];
            for (int j = 0; j < N; j++)
                r += ((i * 31 + j * 17 + i * j % (101 + round)) % 211 / 211.0 - (i == j ? 3 : 0)) * x[j];
            residual = fmax(residual, fabs(r));
            sum += x[i];
        }
    }
    float determinant = 0;
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < SMALL; i++)
            for (int j = 0; j < SMALL; j++)
                symmetric[i][j] = 1.0f / (float)(1 + abs(i - j)) + (i == j ? 1.0f + (float)round : 0.0f);
        determinant += cholesky(symmetric);
    }
    printf("lu %.6f %s %d %.1f\n", sum, residual < 1e-9 ? "exact" : "inexact", signs, (double)determinant);
    return 0;
}
