// lli: lli runs destructors in another order
#include <stdio.h>

static int order;
static int first, second, plain;

__attribute__((constructor(101))) static void one(void) { first = ++order; }
__attribute__((constructor(102))) static void two(void) { second = ++order; }
__attribute__((constructor)) static void three(void) { plain = ++order; }
__attribute__((destructor)) static void end(void) { printf("end\n"); }
__attribute__((destructor(101))) static void last(void) {
  printf("last\n");
  fflush(stdout);
}

int main(void) {
  printf("%d %d %d\n", first, second, plain);
  return 0;
}
