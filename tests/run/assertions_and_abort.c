// exit: 134
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>

_Static_assert(sizeof(long) == 8, "LP64");

static void handler(int s) {
  (void)s;
  printf("aborting\n");
  fflush(stdout);
}

int main(void) {
  signal(SIGABRT, handler);
  assert(1 + 1 == 2);
  printf("before\n");
  fflush(stdout);
  int x = 3;
  assert(x == 4);
  return 0;
}
