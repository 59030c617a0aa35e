#include <stdio.h>

static long sum(long n, long acc) { return n == 0 ? acc : sum(n - 1, acc + n); }
static int even(int n);
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int apply(int (*f)(int), int x) { return f(x); }
static int local_address(int *p, int n) {
  int x = n;
  if (n == 0)
    return *p;
  return local_address(&x, n - 1) + (p != &x);
}

struct big { long a[4]; };
static struct big make(long x) { return (struct big){ { x, x + 1, x + 2, x + 3 } }; }
static struct big forward(long x) { return make(x * 2); }

static void count(int n, int *out) {
  *out += n;
  if (n)
    count(n - 1, out);
}

int main(void) {
  printf("%ld %d %d\n", sum(10000, 0), even(1000), odd(777));
  printf("%d %d %ld\n", apply(even, 4), local_address(&(int){ 5 }, 4), forward(10).a[3]);
  int n = 0;
  count(100, &n);
  printf("%d\n", n);
  return 0;
}
