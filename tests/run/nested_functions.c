// lli: trampolines need an executable stack
#include <stdio.h>

static int apply(int (*f)(int), int x) { return f(x); }

static int outer(int a) {
  int calls = 0;
  int add(int x) {
    calls++;
    return x + a;
  }
  int twice(int x) { return add(add(x)); }
  int r = add(1) + twice(10);
  r += apply(add, 100);
  return r * 10 + calls;
}

static int escape(const int *p, int n) {
  __label__ out;
  int found(int i) {
    if (p[i] < 0)
      goto out;
    return p[i];
  }
  int s = 0;
  for (int i = 0; i < n; i++)
    s += found(i);
  return s;
out:
  return -1;
}

int main(void) {
  int a[] = { 1, 2, 3 }, b[] = { 1, -2, 3 };
  printf("%d %d\n", outer(5), outer(7));
  printf("%d %d\n", escape(a, 3), escape(b, 3));
  return 0;
}
