#include <stdio.h>

#define N 24

static double a[N][N], b[N][N], c[N][N];

static void multiply(double (*restrict x)[N], double (*restrict y)[N], double (*restrict z)[N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      z[i][j] = 0;
      for (int k = 0; k < N; k++)
        z[i][j] += x[i][k] * y[k][j];
    }
}

static double determinant(int n, double m[n][n]) {
  double det = 1;
  for (int i = 0; i < n; i++) {
    int p = i;
    for (int j = i + 1; j < n; j++)
      if ((m[j][i] < 0 ? -m[j][i] : m[j][i]) > (m[p][i] < 0 ? -m[p][i] : m[p][i]))
        p = j;
    if (m[p][i] == 0)
      return 0;
    if (p != i) {
      for (int k = 0; k < n; k++) {
        double t = m[i][k];
        m[i][k] = m[p][k];
        m[p][k] = t;
      }
      det = -det;
    }
    det *= m[i][i];
    for (int j = i + 1; j < n; j++) {
      double f = m[j][i] / m[i][i];
      for (int k = i; k < n; k++)
        m[j][k] -= f * m[i][k];
    }
  }
  return det;
}

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = i + j * 0.5;
      b[i][j] = i == j ? 2 : (i * 7 + j * 3) % 5 * 0.25;
    }
  multiply(a, b, c);
  double trace = 0, sum = 0;
  for (int i = 0; i < N; i++) {
    trace += c[i][i];
    for (int j = 0; j < N; j++)
      sum += c[i][j];
  }
  printf("%.10g %.10g\n", trace, sum);
  double m[4][4] = { { 2, 1, 3, 4 }, { 0, 5, 1, 2 }, { 3, 1, 2, 2 }, { 1, 4, 2, 6 } };
  printf("%.6g\n", determinant(4, m));
  int transposed[3][5], t = 0, orig[5][3];
  for (int i = 0; i < 15; i++)
    orig[i / 3][i % 3] = i * i;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 5; j++)
      transposed[i][j] = orig[j][i];
  for (int i = 0; i < 15; i++)
    t = t * 3 + transposed[i / 5][i % 5];
  printf("%d\n", t);
  return 0;
}
