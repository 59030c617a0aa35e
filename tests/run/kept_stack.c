/* Memory of alloca outlives arrays of variable length in the same scope; a static alias is no object of its own. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

struct numbers { int a[8]; };
static const struct numbers numbers = {{1, 2, 3, 4}};
static const struct numbers other __attribute__((alias("numbers")));

__attribute__((noinline)) static int kept(int n) {
  char *p, *q;
  if (n) {
    char array[n];
    memset(array, 7, n);
    p = alloca(8);
    p[0] = array[n - 1];
  }
  q = alloca(64);
  memset(q, 1, 64);
  return p[0] + q[0];
}

/* More than the stack holds, unless every round gives its array back. */
__attribute__((noinline)) static long freed(int n) {
  long sum = 0;
  for (int i = 0; i < n; i++) {
    volatile char array[1000 + n];
    array[n] = i & 7;
    sum += array[n];
  }
  return sum;
}

__attribute__((noinline)) static int quotient(int x) { return 7 * x / 7 + 8 * x / 8; }

int main(void) {
  const struct numbers copy = other;
  printf("%d %ld %d %d\n", kept(48), freed(20000), copy.a[2], quotient(-12345));
  return 0;
}
