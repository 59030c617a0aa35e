// long double values that stay on the x87 stack around loops: more of them than registers, swapped, copied, converted, compared, kept across calls
// and returned.
#include <stdio.h>

typedef long double L;

static __attribute__((noinline)) L dot(const L *x, const L *y, int n) {
  L s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * y[i];
  return s;
}

static __attribute__((noinline)) L mixed(const double *x, const float *y, const int *z, int n) {
  L s = 0, p = 1;
  for (int i = 0; i < n; i++) {
    s += (L)x[i] * y[i] - z[i];
    p = y[i] - p / (x[i] + 3);
  }
  return s - p;
}

static __attribute__((noinline)) L horner(const L *c, int n, L x) {
  L r = 0;
  for (int i = n - 1; i >= 0; i--)
    r = r * x + c[i];
  return r;
}

// Values exchange places in every round.
static __attribute__((noinline)) L fibonacci(int n) {
  L a = 0, b = 1;
  while (n-- > 0) {
    L t = a + b;
    a = b;
    b = t;
  }
  return a;
}

static __attribute__((noinline)) L rotate(int n) {
  L a = 1, b = 2, c = 3;
  while (n-- > 0) {
    L t = a;
    a = b;
    b = c;
    c = t;
    if (n % 3 == 0)
      a -= 0.25L;
  }
  return a * 100 + b * 10 + c;
}

static __attribute__((noinline)) int escapes(L cr, L ci, int most) {
  L zr = 0, zi = 0;
  int n = 0;
  while (n < most) {
    L r2 = zr * zr, i2 = zi * zi;
    if (r2 + i2 > 4)
      break;
    zi = 2 * zr * zi + ci;
    zr = r2 - i2 + cr;
    n++;
  }
  return n;
}

// Twelve live at once.
static __attribute__((noinline)) L many(const L *v, int n) {
  L a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7], i = v[8], j = v[9], k = v[10], l = v[11];
  for (int r = 0; r < n; r++) {
    a += b * 0.5L;
    b -= c * 0.25L;
    c += d - e;
    d = f / (g * g + 1);
    e = h - i;
    f = j * 0.125L + k;
    g = l - a;
    h = b + c;
    i = (d - e) * 0.5L;
    j = f - g * 0.5L;
    k = (h + i) * 0.25L;
    l = (j - k) * 0.5L;
  }
  return a + b + c + d + e + f + g + h + i + j + k + l;
}

static __attribute__((noinline)) L outside(L x, double y) { return x * y; }

// Nested: the outer loop calls, the inner one does not.
static __attribute__((noinline)) L nested(int n) {
  L sum = 0, scale = 1;
  for (int i = 0; i < n; i++) {
    L term = scale;
    for (int k = 1; k < 20; k++) {
      term *= (L)i / k;
      sum += term;
      if (term < 1e-6L)
        break;
      if (k % 5 == 0)
        continue;
      scale += 1e-3L;
    }
    scale = outside(scale, 0.5);
  }
  return sum + scale;
}

static __attribute__((noinline)) L extremes(const L *v, int n, int *at) {
  L low = v[0], high = v[0];
  for (int i = 1; i < n; i++) {
    if (v[i] < low)
      low = v[i], *at = i;
    high = v[i] > high ? v[i] : high;
  }
  return high - low;
}

static __attribute__((noinline)) _Complex long double power(_Complex long double z, int n) {
  _Complex long double r = 1;
  while (n-- > 0)
    r *= z;
  return r;
}

static __attribute__((noinline)) long counted(L x, double *out, int n) {
  long sum = 0;
  for (int i = 0; i < n; i++) {
    out[i] = x;
    sum += (long)x;
    x = x * 1.5L - 1;
  }
  return sum;
}

// Constants of every width, some of them on the stack for the whole loop.
static __attribute__((noinline)) L constants(L x, int n) {
  for (int i = 0; i < n; i++) {
    x = x * 1.1L - 3.5L;
    x = x / 16777217.0L + 0x1p-126L + 0x1p-127L;
    x = x * 0x1p127L + 0x1p128L - 9007199254740993.0L;
    x = x * 0x1p-1022L + 0x1p-1023L + 0x1p1023L * 0x1p-2040L;
    x = x * 1e300L + 1e4000L * x * 0x1.8p-12000L + -2.5L;
    if (x < 0.1L)
      x += 0.3L;
  }
  return x;
}

// Not a number goes around, and ends it.
static __attribute__((noinline)) int until(L x) {
  int n = 0;
  while (x == x && n < 50)
    x = (x - 3) / (x - 3) * x, n++, x -= 1;
  return n;
}

int main(void) {
  L x[20], y[20];
  double d[20], out[8];
  float f[20];
  int z[20], at = -1;
  for (int i = 0; i < 20; i++) {
    x[i] = 1.0L / (i + 1);
    y[i] = (i * 7 % 11) - 3.5L;
    d[i] = i * 0.75 - 2;
    f[i] = 5 - i * 0.5f;
    z[i] = i * i - 9;
  }
  printf("%.15Lg %.15Lg %.15Lg\n", dot(x, y, 20), mixed(d, f, z, 20), horner(x, 20, 0.9L));
  printf("%.15Lg %.15Lg %.15Lg\n", fibonacci(90), rotate(10), rotate(11));
  printf("%d %d %d\n", escapes(-0.5L, 0.5L, 200), escapes(0.3L, 0.6L, 200), escapes(1, 1, 200));
  printf("%.12Lg %.12Lg\n", many(x, 9), many(y, 4));
  printf("%.12Lg\n", nested(7));
  L range = extremes(y, 20, &at);
  printf("%.15Lg %d\n", range, at);
  _Complex long double p = power(0.75L + 0.5iL, 11);
  printf("%.12Lg %.12Lg\n", __real__ p, __imag__ p);
  long total = counted(10, out, 8);
  printf("%ld %.15g\n", total, out[7]);
  printf("%.18Lg %.18Lg\n", constants(1, 3), constants(-1e9L, 5));
  printf("%d %d\n", until(12), until(3));
  return 0;
}
