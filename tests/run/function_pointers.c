#include <stdio.h>
#include <stdlib.h>

typedef int (*binary)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static int apply(binary f, int a, int b) { return f(a, b); }
static binary choose(char c) { return c == '+' ? add : c == '-' ? sub : mul; }
static int (*(*chooser)(char))(int, int) = choose;
static void (*nothing)(void);

struct ops {
  const char *name;
  binary f;
  int (*table[2])(int);
};

static int inc(int x) { return x + 1; }
static int dec(int x) { return x - 1; }
static const struct ops ops[] = { { "add", add, { inc, dec } }, { "mul", &mul, { dec, inc } } };

static int compare(const void *a, const void *b) {
  const int *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static double dcall(double (*f)(double, int), double x) { return f(x, 3); }
static double power(double x, int n) {
  double r = 1;
  while (n--)
    r *= x;
  return r;
}

static int (*self(void))(int, int) { return (*&add); }

int main(void) {
  printf("%d %d %d\n", apply(add, 3, 4), apply(&sub, 3, 4), apply(*mul, 3, 4));
  printf("%d %d\n", chooser('-')(9, 2), (*choose('*'))(9, 2));
  for (int i = 0; i < 2; i++)
    printf("%s %d %d %d\n", ops[i].name, ops[i].f(5, 6), ops[i].table[0](10), (*ops[i].table[1])(10));
  int a[] = { 5, 2, 9, -1, 7, 0 };
  qsort(a, 6, sizeof *a, compare);
  for (int i = 0; i < 6; i++)
    printf("%d ", a[i]);
  int key = 7;
  printf("%ld\n", (long)((int *)bsearch(&key, a, 6, sizeof *a, compare) - a));
  printf("%g %d\n", dcall(power, 1.5), self()(1, 1));
  printf("%d %d %d\n", nothing == 0, choose('+') == add, (void *)add == (void *)sub);
  binary f = a[0] < 0 ? add : sub;
  printf("%d\n", f(1, 2));
  int (*arr[3])(int, int) = { add, sub, mul };
  int (**p)(int, int) = arr;
  printf("%d ", (*p++)(8, 3));
  printf("%d\n", p[1](8, 3));
  return 0;
}
