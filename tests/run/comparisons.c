#include <stdio.h>
#include <math.h>

static void ints(int a, int b, unsigned c, unsigned d) {
  printf("%d%d%d%d%d%d ", a < b, a <= b, a > b, a >= b, a == b, a != b);
  printf("%d%d%d%d%d%d ", c < d, c <= d, c > d, c >= d, c == d, c != d);
  printf("%d%d%d%d\n", (long)a < (long)d, a < (int)d, (char)a < (char)b, (unsigned char)a < (unsigned char)b);
}

static void doubles(double a, double b) {
  printf("%d%d%d%d%d%d ", a < b, a <= b, a > b, a >= b, a == b, a != b);
  printf("%d%d%d%d%d%d ", !(a < b), !(a <= b), !(a > b), !(a >= b), !(a == b), !(a != b));
  printf("%d%d%d%d%d%d ", isless(a, b), islessequal(a, b), isgreater(a, b), isgreaterequal(a, b), islessgreater(a, b), isunordered(a, b));
  int r = 0;
  if (a < b)
    r |= 1;
  if (a == b)
    r |= 2;
  if (!(a >= b))
    r |= 4;
  if (a != b && a == a)
    r |= 8;
  while (a > b) {
    r |= 16;
    break;
  }
  printf("%d %g\n", r, a < b ? a : b);
}

static void floats(float a, float b) {
  printf("%d%d%d%d%d%d %g %g\n", a < b, a <= b, a > b, a >= b, a == b, a != b, a < b ? a : b, a > b ? a : b);
}

int main(void) {
  int v[] = { 0, 1, -1, 127, 128, 255, 256, 2147483647, -2147483647 - 1 };
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 9; j += 2)
      ints(v[i], v[j], (unsigned)v[j], (unsigned)v[i]);
  double d[] = { 0.0, -0.0, 1.5, -1.5, INFINITY, -INFINITY, NAN };
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 7; j++) {
      doubles(d[i], d[j]);
      if (i < 6 && j < 6)
        floats((float)d[i], (float)d[j]);
    }
  int *p = v, *q = v + 3;
  printf("%d%d%d %d\n", p < q, p == q, p >= q, !p);
  return 0;
}
