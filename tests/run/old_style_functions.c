// flags: -std=gnu89
#include <stdio.h>

int add(a, b)
int a;
int b;
{
  return a + b;
}

double scale(x, f, c)
double x;
float f;
char c;
{
  return x * f + c;
}

implicit_int(p) char *p;
{
  return *p;
}

static old();

int count();

struct s { int a; };

struct s wrap(v)
int v;
{
  struct s r;
  r.a = v;
  return r;
}

main() {
  register i = 3;
  printf("%d %g %d\n", add(1, 2), scale(1.5, 2.0, 'a'), implicit_int("A"));
  printf("%d %d %d\n", old(1, 2), count(), wrap(i).a);
  return 0;
}

static old(x, y) {
  return x * 10 + y;
}

int count() {
  static n;
  return ++n;
}
