// lli: lli does not run what atexit was given
// exit: 42
#include <stdlib.h>
#include <stdio.h>

static void bye(void) { printf("bye\n"); }

int main(void) {
  atexit(bye);
  printf("start\n");
  exit(42);
}
