// flags: -ftrapv
// exit: 134
#include <stdio.h>
#include <limits.h>

static int add(int a, int b) { return a + b; }

int main(void) {
  printf("%d\n", add(1, 2));
  fflush(stdout);
  volatile int one = 1;
  printf("%d\n", add(INT_MAX, one));
  return 0;
}
