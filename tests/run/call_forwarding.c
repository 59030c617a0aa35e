// interpreter: argument registers are not modelled
// llvm: argument registers
/* __builtin_apply_args, __builtin_apply, __builtin_return: calls with the arguments a function got, whatever they are. */
#include <stdarg.h>
#include <stdio.h>

#define FORWARD(target, bytes) \
  __builtin_return(__builtin_apply((void (*)())target, __builtin_apply_args(), bytes))

struct pair { double d; long l; };
struct large { long a[5]; };

static int integers(int a, long b, char c, short d, unsigned e, long f, int g, long h) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}
static double floats(double a, float b, int i, double c) { return a * 1000 + b * 100 + c * 10 + i; }
static long double wide(long double x, int n) { return x * n; }
static _Complex long double twist(long double x) { return x + 2.0iL * x; }
static struct pair pair(long l, double d) { return (struct pair){d + 1, l + 1}; }
static struct large large(struct large from, int by) {
  for (int i = 0; i < 5; i++) from.a[i] += by;
  return from;
}
static int sum(int n, ...) {
  va_list ap;
  double total = 0;
  va_start(ap, n);
  for (int i = 0; i < n; i++) total += i & 1 ? va_arg(ap, int) : va_arg(ap, double);
  va_end(ap);
  return (int)total;
}

__attribute__((noinline)) static int f_integers(int a, long b, char c, short d, unsigned e, long f, int g, long h) {
  FORWARD(integers, 16);
}
__attribute__((noinline)) static double f_floats(double a, float b, int i, double c) { FORWARD(floats, 0); }
__attribute__((noinline)) static long double f_wide(long double x, int n) { FORWARD(wide, 16); }
__attribute__((noinline)) static _Complex long double f_twist(long double x) { FORWARD(twist, 16); }
__attribute__((noinline)) static struct pair f_pair(long l, double d) { FORWARD(pair, 0); }
__attribute__((noinline)) static struct large f_large(struct large from, int by) { FORWARD(large, 40); }
__attribute__((noinline)) static int f_sum(int n, ...) { FORWARD(sum, 32); }

static int calls;
/* The result of the call is looked at by nobody, and the block of arguments is passed on. */
static void again(void *arguments) {
  __builtin_apply((void (*)())printf, arguments, 0);
  calls++;
}
__attribute__((noinline)) static void twice(const char *format, int a, double b) {
  void *arguments = __builtin_apply_args();
  again(arguments);
  again(arguments);
}

/* The first anonymous argument on the stack. */
__attribute__((noinline)) int anonymous(int a, int b, int c, int d, int e, int last, ...) {
  int *next = __builtin_next_arg(last);
  return next[0] * 100 + next[2] * 10 + next[4];
}

int main(void) {
  char space[64];
  __asm__ volatile("" : : ""(space));
  printf("%d\n", f_integers(1, 2, 3, 4, 5, 6, 7, 8));
  printf("%g\n", f_floats(1, 2.5f, 3, 4.5));
  printf("%Lg\n", f_wide(1.5L, 7));
  _Complex long double t = f_twist(2.5L);
  printf("%Lg %Lg\n", __real__ t, __imag__ t);
  struct pair p = f_pair(41, 1.25);
  printf("%g %ld\n", p.d, p.l);
  struct large l = f_large((struct large){{1, 2, 3, 4, 5}}, 10);
  printf("%ld %ld\n", l.a[0], l.a[4]);
  printf("%d\n", f_sum(6, 1.5, 2, 3.5, 4, 5.0, 6));
  twice("%d %g\n", 3, 0.75);
  printf("%d\n", calls);
  printf("%d\n", anonymous(1, 2, 3, 4, 5, 6, 7, 8, 9));
  return 0;
}
