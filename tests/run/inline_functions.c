#include <stdio.h>

static inline int square(int x) { return x * x; }
inline int external(int x) { return x + 1; }
extern inline int external(int x);
static inline __attribute__((always_inline)) int forced(int x, int y) { return x > y ? x - y : y - x; }
static __attribute__((noinline)) int never(int x) { return x * 3; }
static inline int recursive(int n) { return n < 2 ? 1 : n * recursive(n - 1); }
__attribute__((gnu_inline)) extern inline int gnu(int x) { return x + 100; }
int gnu(int x) { return x + 200; }

static inline int early(const int *p, int n) {
  for (int i = 0; i < n; i++)
    if (p[i] < 0)
      return i;
  return -1;
}

static inline void out(int *a, int *b) {
  int t = *a;
  *a = *b + 1;
  *b = t;
}

int main(void) {
  int a[] = { 3, 1, -4, 1 };
  printf("%d %d %d %d %d\n", square(square(2)), external(5), forced(3, 9), never(7), recursive(6));
  printf("%d %d\n", early(a, 4), early(a, 2));
  out(&a[0], &a[1]);
  printf("%d %d\n", a[0], a[1]);
  int (*p)(int) = square;
  printf("%d %d\n", p(9), gnu(1) % 100);
  return 0;
}
