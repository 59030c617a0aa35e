// flags: -fwrapv
#include <stdio.h>

static long many(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l) {
  long r1 = a * b + c, r2 = d * e + f, r3 = g * h + i, r4 = j * k + l;
  long s1 = a ^ c, s2 = b ^ d, s3 = e ^ g, s4 = f ^ h, s5 = i ^ k, s6 = j ^ l;
  long t1 = r1 - s1, t2 = r2 - s2, t3 = r3 - s3, t4 = r4 - s4;
  printf("%ld %ld %ld %ld\n", t1, t2, t3, t4);
  return r1 + r2 * 2 + r3 * 3 + r4 * 5 + s1 * 7 + s2 * 11 + s3 * 13 + s4 * 17 + s5 * 19 + s6 * 23 + t1 * t2 + t3 * t4 + a + b + c + d + e + f + g + h + i + j + k + l;
}

static double floats(const double *p) {
  double a = p[0], b = p[1], c = p[2], d = p[3], e = p[4], f = p[5], g = p[6], h = p[7], i = p[8], j = p[9];
  double k = a * b, l = c * d, m = e * f, n = g * h, o = i * j, q = a + j, r = b + i, s = c + h, t = d + g, u = e + f;
  double v = k - l, w = m - n, x = o - q, y = r - s, z = t - u;
  return a + b * c - d * e + f * g - h * i + j * k + l * m - n * o + q * r - s * t + u * v + w * x - y * z;
}

static int loop(int n) {
  int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11, l = 12, m = 13, o = 14, p = 15;
  while (n--) {
    int t = a;
    a = b + c; b = c ^ d; c = d + e; d = e ^ f; e = f + g; f = g ^ h; g = h + i; h = i ^ j;
    i = j + k; j = k ^ l; k = l + m; l = m ^ o; m = o + p; o = p ^ t; p = t + n;
  }
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m + 14 * o + 15 * p;
}

static unsigned divisions(unsigned a, unsigned b, unsigned c, unsigned d) {
  unsigned q1 = a / b, r1 = a % b, q2 = c / d, r2 = c % d, s1 = a << (b & 31), s2 = c >> (d & 31);
  return q1 * 3 + r1 * 5 + q2 * 7 + r2 * 11 + s1 * 13 + s2 * 17 + a + b + c + d;
}

int main(void) {
  printf("%ld\n", many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
  double p[10] = { 1.5, 2.25, -3, 4, 5.5, -6, 7, 8.125, 9, 10 };
  printf("%.10g\n", floats(p));
  printf("%d %d\n", loop(5), loop(40));
  printf("%u\n", divisions(123456789, 1234, 987654321, 777));
  return 0;
}
