// flags: -Wall -Wextra -pedantic -std=c17
// silent: the program is correct
#include <stdio.h>

struct point {
  int x, y;
};

static int add(struct point p) { return p.x + p.y; }

int main(void) {
  struct point p = { 1, 2 };
  printf("%d\n", add(p));
  return 0;
}
