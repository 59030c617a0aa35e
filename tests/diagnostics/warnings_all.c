// flags: -c -Wall -Wextra
#include <stdio.h>
static int unused_function(void) { return 1; }
int f(int a, unsigned b, int *p) {
  int unused, set;
  set = 1;
  if (a = 3)
    a = 2;
  if (a < b)
    return 1;
  a == 4;
  printf("%d %s\n", 1.5, a);
  printf("%d\n");
  switch (a) {
  case 1:
    a = 5;
  case 2:
    break;
  }
  int c = a / 0;
  for (int i = 0; i < 3; i++);
  return c << 33;
}
