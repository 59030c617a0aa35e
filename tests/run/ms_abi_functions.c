// Functions of the Microsoft x64 convention calling each other: frames of every kind, pointers in structures, nested functions, setjmp.
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#define MS __attribute__((ms_abi))

typedef struct {
  long a[5];
} large;

static jmp_buf back;

MS static double inner(int n, double x, large l, char *s) {
  volatile double kept = x;
  char block[n];
  memset(block, 1, n);
  _Alignas(64) char aligned[64];
  memset(aligned, 2, 64);
  if (n > 5) {
    longjmp(back, n);
  }
  printf("%d %g %ld %s %d %d\n", n, kept, l.a[3], s, block[n - 1], aligned[5] + (int)((long)&aligned[0] & 63));
  return kept * 2;
}

MS __attribute__((noinline)) double outer(int n, double x, large l, char *s) {
  double y = x + 1;
  int q = n * 3;
  int again = setjmp(back);
  if (again) {
    return y + again + q;
  }
  return inner(n, x, l, s) + inner(n + 1, y, l, s) + y + q;
}

struct operations {
  int(MS *call)(int a, int b);
  MS long (*get)(struct operations *);
};

MS int call(int a, int b) { return a * 100 + b; }

MS long get(struct operations *o) { return o->call(1, 2); }

MS large make(int k) {
  large l = {{k, k + 1, k + 2, k + 3, k + 4}};
  return l;
}

MS static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

static int nested(int k) {
  MS int add(int x) { return x + k; }
  return add(4);
}

static double sum(double a, double b, double c, double d, double e, double f, double g) {
  return a + b * c + d * e + f * g;
}

MS __attribute__((noinline)) double many(double a, double b, double c, double d, double e, double f, double g) {
  double r = 0;
  for (int i = 0; i < 3; i++) {
    r += sum(a, b, c, d, e, f, g) * i;
  }
  return r + a + b + c + d + e + f + g;
}

int main(void) {
  large l = {{1, 2, 3, 4, 5}};
  printf("%g\n", outer(2, 1.5, l, "hi"));
  printf("%g\n", outer(9, 1.5, l, "hi"));
  struct operations o = {call, get};
  printf("%ld %d\n", o.get(&o), o.call(3, 4));
  printf("%ld %d %d\n", make(7).a[4], factorial(6), nested(3));
  printf("%g\n", many(1, 2, 3, 4, 5, 6, 7));
}
