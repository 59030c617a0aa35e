/* Structures of unnamed bit-fields alone take registers but no room on the stack, unnamed bit-fields make an eightbyte INTEGER, arrays in
   packed structures are not aligned. */
#include <stdio.h>

struct blank { signed char : 7; };
struct half { int : 31; float f; };
struct inner { __float128 q; long a[2]; };
struct packed { char c; struct inner i[2]; } __attribute__((packed));

int in_registers(int a, struct blank b, int c);
int on_stack(long a, long b, long c, long d, long e, long f, struct blank g, int h, struct blank i, int j);
float mixed(float a, struct half h, float b);
struct packed shifted(struct packed p, int index);
int variadic(int n, ...);

#ifdef CALLEE
#include <stdarg.h>
int in_registers(int a, struct blank b, int c) { return a * 100 + c; }
int on_stack(long a, long b, long c, long d, long e, long f, struct blank g, int h, struct blank i, int j) {
  return a + b + c + d + e + f + h * 100 + j * 1000;
}
float mixed(float a, struct half h, float b) { return a + h.f * 10 + b * 100; }
struct packed shifted(struct packed p, int index) {
  p.i[index].q *= 2;
  p.i[1 - index].a[index] += 5;
  p.i[index].a[1] = p.c;
  return p;
}
int variadic(int n, ...) {
  va_list ap;
  int sum = 0;
  va_start(ap, n);
  while (n--) {
    struct blank b = va_arg(ap, struct blank);
    (void)b;
    sum = sum * 2 + va_arg(ap, int);
  }
  va_end(ap);
  return sum;
}
#endif

#ifdef CALLER
int main(void) {
  struct blank b;
  struct packed p = {7, {{1.5, {1, 2}}, {2.5, {3, 4}}}};
  printf("%d %d\n", in_registers(3, b, 4), on_stack(1, 2, 3, 4, 5, 6, b, 7, b, 8));
  printf("%g\n", mixed(1, (struct half){2.5f}, 3));
  for (int i = 0; i < 2; i++) {
    p = shifted(p, i);
    printf("%d %g %g %ld %ld %ld %ld\n", p.c, (double)p.i[0].q, (double)p.i[1].q, p.i[0].a[0], p.i[0].a[1], p.i[1].a[0], p.i[1].a[1]);
  }
  printf("%d\n", variadic(7, b, 1, b, 2, b, 3, b, 4, b, 5, b, 6, b, 7));
  return 0;
}
#endif
