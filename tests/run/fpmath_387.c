// flags: -mfpmath=387 -std=gnu11 -fexcess-precision=standard -lm
// float and double computed as long double: where values are as precise as that, and where they are rounded.
#include <float.h>
#include <stdarg.h>
#include <stdio.h>

// d1 * d2 is 1 - 2^-60, which is 1 as a double.
volatile double d1 = 1 - 0x1p-30, d2 = 1 + 0x1p-30, big = 1e308, tiny = 0x1p-1070;
volatile float f1 = 1 + 0x1p-23f, f2 = 1 + 0x1p-23f;
volatile long l = 0x7fffffffffffffff;
volatile int i = 0x7fffffff;
volatile unsigned long ul = 0xffffffffffffffff;
static int one = 1;

#define VALUE(e) printf("%-36s %.25Lg\n", #e, (long double)(e))
#define TRUTH(e) printf("%-36s %d\n", #e, (int)(e))

static double same(double x) { return x; }
static double product(void) { return d1 * d2; }
static float product_in_float(void) { return f1 * f2; }
static double old_style(x) double x; { return x; }
static double variadic(int n, ...) {
  va_list ap;
  va_start(ap, n);
  double x = va_arg(ap, double);
  va_end(ap);
  return x;
}

static void types(void) {
  TRUTH(sizeof(f1 * f2));
  TRUTH(_Generic(f1 * f2, float: 1, double: 2, long double: 3));
  TRUTH(_Generic(1.5, float: 1, double: 2, long double: 3));
  __typeof__(d1 * d2) x = d1 * d2;
  VALUE(x);
}

static void kept(void) {
  VALUE(d1 * d2);
  VALUE(f1 * f2);
  VALUE(-(d1 * d2));
  VALUE(+(d1 * d2));
  VALUE((0, d1 * d2));
  VALUE(one ? d1 * d2 : 2);
  VALUE(one ? d1 * d2 : d1);
  VALUE(one ? d1 : d1 * d2);
  VALUE(d1 * d2 ?: 3);
  VALUE(_Generic(0, int: d1 * d2));
  VALUE(__extension__(d1 * d2));
  VALUE(__builtin_assoc_barrier(d1 * d2));
  TRUTH(d1 * d2 == 1);
  TRUTH(d1 * d2 < 1.0);
  TRUTH(d1 * d2 - 1 ? 1 : 0);
  TRUTH(!(d1 * d2 - 1));
  TRUTH(tiny * tiny && 1);
  TRUTH((_Bool)(tiny * tiny));
  TRUTH(big * 10 > DBL_MAX);
  TRUTH(big * 10 / 10 == big);
  TRUTH(__builtin_isless(d1 * d2, 1.0));
  TRUTH(__builtin_islessgreater(d1 * d2, 1));
  VALUE(l + 0.0f);
  VALUE(ul * 1.0);
  TRUTH(i == 0x1p31f);
  TRUTH(f1 + l == f1);
  long double wide = d1 * d2;
  VALUE(wide);
  double d = f1 * f2;
  VALUE(d);
}

static void rounded(void) {
  VALUE((double)(d1 * d2));
  VALUE((float)i + 0.0f);
  VALUE(({ d1 * d2; }));
  VALUE(same(d1 * d2));
  VALUE(old_style(d1 * d2));
  VALUE(variadic(1, d1 * d2));
  VALUE(product());
  VALUE(product_in_float());
  double d;
  float f;
  VALUE(d = d1 * d2);
  d = d1, d *= d2;
  VALUE(d);
  f = f1, f *= f2;
  VALUE(f);
  f = 0x1p24f;
  TRUTH(f + 1 == f);
  TRUTH(++f == 0x1p24f + 1);
  double array[] = { d1 * d2, f1 * f2 };
  VALUE(array[0]);
  VALUE(array[1]);
  VALUE(((struct { double d; float f; }){ d1 * d2, f1 * f2 }).f);
  TRUTH(__builtin_isinf(big * 10));
  TRUTH(__builtin_fpclassify(0, 1, 2, 3, 4, tiny * tiny));
  VALUE(__builtin_fabs(d1 * d2));
  VALUE(__builtin_sqrt(d1 * d2));
  // Once, from the precise value.
  volatile double a = 1 + 0x1p-24, b = 0x1p-60;
  f = a + b;
  VALUE(f);
  int k = d1 * d2;
  TRUTH(k);
  k = 2, k *= d1 * d2;
  TRUTH(k);
  unsigned char small = d1 * d2 * 4;
  TRUTH(small);
  TRUTH((long)(d1 * d2 * 100));
  _Atomic double atomic = 0;
  atomic = d1 * d2;
  VALUE(atomic);
}

static void constants(void) {
  double d = 0.1;
  float f = 0.1f;
  static double third = 1.0 / 3.0;
  static float third_in_float = 1.0f / 3;
  static long double wide = 1.0 / 3.0, tenth = 0.1f;
  static double from_float = 0.1f;
  TRUTH(0.1 == 0.1L);
  TRUTH(0.1f == 0.1);
  TRUTH(d == 0.1);
  TRUTH(d == (double)0.1);
  TRUTH(f == 0.1f);
  VALUE(0.1f);
  VALUE(-0.1);
  VALUE(1.0f / 3);
  VALUE(1 ? 0.1 : 1);
  TRUTH(third == 1.0 / 3.0);
  VALUE(third);
  VALUE(third_in_float);
  VALUE(wide);
  VALUE(tenth);
  VALUE(from_float);
  VALUE(FLT_MAX);
  TRUTH(sizeof(char[(int)(0.1 * 10 + 1.5)]));
  TRUTH(__builtin_constant_p(0.1 * 3));
  VALUE(1.1 * 1.1);
  VALUE(1e-400);
}

int main(void) {
  types();
  kept();
  rounded();
  constants();
}
