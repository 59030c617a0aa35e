/* Measures: the spectral norm of the matrix 1 / ((i + j)(i + j + 1) / 2 + i + 1) by power iteration: integer arithmetic converted to
   floating point, divisions, function calls in the inner loop. */
#include <math.h>
#include <stdio.h>

enum { N = 900, ITERATIONS = 50 };

static double element(int i, int j) {
    return 1.0 / ((i + j) * (i + j + 1) / 2 + i + 1);
}

static void multiply(const double *v, double *out) {
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int j = 0; j < N; j++)
            sum += element(i, j) * v[j];
        out[i] = sum;
    }
}

static void multiply_transposed(const double *v, double *out) {
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int j = 0; j < N; j++)
            sum += element(j, i) * v[j];
        out[i] = sum;
    }
}

static void multiply_both(const double *v, double *out) {
    double between[N];
    multiply(v, between);
    multiply_transposed(between, out);
}

/* Jacobi's rotations on a small symmetric matrix: all eigenvalues. */
enum { SMALL = 40 };

static double jacobi(double a[SMALL][SMALL], int sweeps) {
    for (int sweep = 0; sweep < sweeps; sweep++)
        for (int p = 0; p < SMALL - 1; p++)
            for (int q = p + 1; q < SMALL; q++) {
                if (fabs(a[p][q]) < 1e-14)
                    continue;
                double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                double t = (theta < 0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < SMALL; k++) {
                    double kp = a[k][p], kq = a[k][q];
                    a[k][p] = c * kp - s * kq;
                    a[k][q] = s * kp + c * kq;
                }
                for (int k = 0; k < SMALL; k++) {
                    double pk = a[p][k], qk = a[q][k];
                    a[p][k] = c * pk - s * qk;
                    a[q][k] = s * pk + c * qk;
                }
            }
    double largest = 0;
    for (int i = 0; i < SMALL; i++)
        largest = a[i][i] > largest ? a[i][i] : largest;
    return largest;
}

int main(void) {
    double u[N], v[N];
    for (int i = 0; i < N; i++)
        u[i] = 1;
    for (int i = 0; i < ITERATIONS; i++) {
        multiply_both(u, v);
        multiply_both(v, u);
    }
    double uv = 0, vv = 0;
    for (int i = 0; i < N; i++) {
        uv += u[i] * v[i];
        vv += v[i] * v[i];
    }
    double a[SMALL][SMALL], sum = 0;
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < SMALL; i++)
            for (int j = 0; j < SMALL; j++)
                a[i][j] = 1.0 / (i + j + 1) + (i == j ? round : 0);
        sum += jacobi(a, 8);
    }
    printf("spectral_norm %.9f %.9f\n", sqrt(uv / vv), sum);
    return 0;
}
