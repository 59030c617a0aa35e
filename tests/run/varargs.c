#include <stdio.h>
#include <stdarg.h>
#include <string.h>

struct s1 { int a, b; };
struct s2 { double a; float b; };
struct s3 { long a, b, c; };
struct s4 { long a; double b; };

static void walk(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  for (; *fmt; fmt++) {
    switch (*fmt) {
    case 'i': printf("%d ", va_arg(ap, int)); break;
    case 'u': printf("%u ", va_arg(ap, unsigned)); break;
    case 'l': printf("%ld ", va_arg(ap, long)); break;
    case 'd': printf("%g ", va_arg(ap, double)); break;
    case 'D': printf("%Lg ", va_arg(ap, long double)); break;
    case 's': printf("%s ", va_arg(ap, char *)); break;
    case '1': { struct s1 s = va_arg(ap, struct s1); printf("{%d %d} ", s.a, s.b); break; }
    case '2': { struct s2 s = va_arg(ap, struct s2); printf("{%g %g} ", s.a, s.b); break; }
    case '3': { struct s3 s = va_arg(ap, struct s3); printf("{%ld %ld %ld} ", s.a, s.b, s.c); break; }
    case '4': { struct s4 s = va_arg(ap, struct s4); printf("{%ld %g} ", s.a, s.b); break; }
    case 'x': { __int128 v = va_arg(ap, __int128); printf("%lx%016lx ", (long)(v >> 64), (long)v); break; }
    }
  }
  va_end(ap);
  printf("\n");
}

static int total(int n, va_list ap) {
  int s = 0;
  va_list copy;
  va_copy(copy, ap);
  for (int i = 0; i < n; i++)
    s += va_arg(ap, int);
  for (int i = 0; i < n; i++)
    s += 100 * va_arg(copy, int);
  va_end(copy);
  return s;
}

static int sum(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int r = total(n, ap);
  va_end(ap);
  return r;
}

static char *format(char *buf, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsprintf(buf, fmt, ap);
  va_end(ap);
  return buf;
}

int main(void) {
  struct s1 a = { 1, 2 };
  struct s2 b = { 3.5, 4.5f };
  struct s3 c = { 5, 6, 7 };
  struct s4 d = { 8, 9.5 };
  walk("idls", 1, 2.5, 3L, "four");
  walk("iiiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  walk("dddddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12.);
  walk("1234", a, b, c, d);
  walk("iiiii1i", 1, 2, 3, 4, 5, a, 6);
  walk("iiii4d4i", 1, 2, 3, 4, d, 2.5, d, 5);
  walk("ddddddd22d", 1., 2., 3., 4., 5., 6., 7., b, b, 8.);
  walk("iDiDd", 1, 2.5L, 3, 4.5L, 5.5);
  walk("iiiiixx", 1, 2, 3, 4, 5, (__int128)7 << 70, (__int128)-1);
  walk("uis", (unsigned char)200, (short)-5, "x");
  walk("dd", 1.5f, (float)2);
  printf("%d\n", sum(4, 1, 2, 3, 4));
  char buf[100];
  printf("%s\n", format(buf, "%d-%s-%.2f-%c", 42, "abc", 2.345, 'z'));
  int (*fp)(int, ...) = sum;
  printf("%d\n", fp(2, 10, 20));
  return 0;
}
