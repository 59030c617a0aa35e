// flags: -fpack-struct=2
#include <stdio.h>

struct s { char c; int i; long l; };

int main(void) {
  struct s v[2] = { { 1, 2, 3 }, { 4, 5, 6 } };
  printf("%zu %d %ld\n", sizeof(struct s), v[1].i, v[1].l);
  return 0;
}
