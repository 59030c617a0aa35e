#include <stdio.h>
#include <string.h>

static int leap(int y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; }

static long days(int y, int m, int d) {
  static const int before[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
  long n = 365L * (y - 1) + (y - 1) / 4 - (y - 1) / 100 + (y - 1) / 400;
  return n + before[m - 1] + (m > 2 && leap(y)) + d;
}

static const char *base64(const unsigned char *in, size_t n, char *out) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char *o = out;
  for (size_t i = 0; i < n; i += 3) {
    unsigned v = in[i] << 16 | (i + 1 < n ? in[i + 1] << 8 : 0) | (i + 2 < n ? in[i + 2] : 0);
    *o++ = digits[v >> 18];
    *o++ = digits[v >> 12 & 63];
    *o++ = i + 1 < n ? digits[v >> 6 & 63] : '=';
    *o++ = i + 2 < n ? digits[v & 63] : '=';
  }
  *o = 0;
  return out;
}

static int utf8(unsigned c, char *o) {
  if (c < 0x80) return o[0] = (char)c, 1;
  if (c < 0x800) return o[0] = (char)(0xc0 | c >> 6), o[1] = (char)(0x80 | (c & 63)), 2;
  if (c < 0x10000) return o[0] = (char)(0xe0 | c >> 12), o[1] = (char)(0x80 | (c >> 6 & 63)), o[2] = (char)(0x80 | (c & 63)), 3;
  return o[0] = (char)(0xf0 | c >> 18), o[1] = (char)(0x80 | (c >> 12 & 63)), o[2] = (char)(0x80 | (c >> 6 & 63)), o[3] = (char)(0x80 | (c & 63)), 4;
}

static char *roman(int n, char *out) {
  static const struct { int v; const char *s; } t[] = { { 1000, "M" }, { 900, "CM" }, { 500, "D" }, { 400, "CD" }, { 100, "C" }, { 90, "XC" }, { 50, "L" }, { 40, "XL" }, { 10, "X" }, { 9, "IX" }, { 5, "V" }, { 4, "IV" }, { 1, "I" } };
  *out = 0;
  for (unsigned i = 0; i < sizeof t / sizeof *t; i++)
    for (; n >= t[i].v; n -= t[i].v)
      strcat(out, t[i].s);
  return out;
}

int main(void) {
  printf("%ld %ld\n", days(2000, 3, 1) - days(1999, 12, 31), days(2024, 2, 29) % 7);
  char buf[64];
  printf("%s ", base64((const unsigned char *)"Many hands", 10, buf));
  printf("%s\n", base64((const unsigned char *)"ab", 2, buf));
  char u[16] = { 0 };
  int n = utf8(0xe9, u);
  n += utf8(0x20ac, u + n);
  n += utf8(0x1f600, u + n);
  printf("%d", n);
  for (int i = 0; i < n; i++)
    printf(" %02x", (unsigned char)u[i]);
  printf("\n%s %s\n", roman(1994, buf), roman(3888, buf + 32));
  return 0;
}
