// lli: lli has no indirect functions
#include <stdio.h>

static int slow(int x) { return x + 1; }
static int fast(int x) { return x + 2; }
static int (*resolve(void))(int) { return sizeof(long) == 8 ? fast : slow; }
int dispatched(int) __attribute__((ifunc("resolve")));

int main(void) {
  int (*p)(int) = dispatched;
  printf("%d %d\n", dispatched(1), p(10));
  return 0;
}
