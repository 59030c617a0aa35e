// flags: -ftrapv
// exit: 134
// checked: signed-overflow, which is what the program shows
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
