#include <stdio.h>

struct s { int a, b; };
static int f(void) { return 7; }

int main(int argc, char **argv) {
  (void)argv;
  int z = argc - 1;
  struct s x = { 1, 2 }, y = { 3, 4 };
  struct s r = z ? x : y;
  double d = z ? 1 : 2.5;
  long l = z ? 1 : -1L;
  unsigned u = z ? -1 : 1u;
  const char *p = z ? "a" : "b";
  void *v = z ? (void *)p : 0;
  int (*fp)(void) = z ? 0 : f;
  char c = z ? 'a' : 'b';
  printf("%d %g %ld %u %s %d %d %c\n", r.a, d, l, u, p, v == 0, fp(), c);
  z ? printf("yes\n") : printf("no\n");
  printf("%d %d\n", (z ? x : y).b, z ?: 9);
  int a = 1, b = 2;
  *(z ? &a : &b) = 50;
  printf("%d %d\n", a, b);
  printf("%d\n", z ? 1 : z + 1 ? 2 : 3);
  return 0;
}
