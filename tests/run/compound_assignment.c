#include <stdio.h>

struct s { int a[4]; short b; };
static int side;
static int *addr(int *p) {
  side++;
  return p;
}

int main(void) {
  int x = 100;
  x += 5; x -= 3; x *= 2; x /= 7; x %= 20; x <<= 3; x >>= 1; x |= 5; x &= 0x3d; x ^= 0xff;
  printf("%d\n", x);
  int arr[3] = { 1, 2, 3 };
  *addr(&arr[1]) += 10;
  (*addr(&arr[2]))++;
  printf("%d %d %d\n", arr[1], arr[2], side);
  int i = 0;
  arr[i++] *= 7;
  printf("%d %d\n", arr[0], i);
  struct s s = { { 1, 2, 3, 4 }, 5 }, *p = &s;
  p->a[i] -= 9;
  p->b <<= 12;
  printf("%d %d\n", s.a[1], s.b);
  double d = 3;
  d += x;
  d /= 2;
  int n = 7;
  n *= 1.5;
  n += 0.9;
  printf("%g %d\n", d, n);
  unsigned char c = 200;
  c += 100;
  printf("%d\n", c);
  c >>= 1;

  char *t = "abcdef";
  t += 2;
  t -= 1;
  printf("%s ", t++);
  printf("%d\n", *t++);
  printf("%c\n", *--t);
  int a, b, e;
  a = b = e = 4;
  a += b -= e *= 2;
  printf("%d %d %d\n", a, b, e);
  unsigned long ul = 1;
  ul <<= 40;
  ul += -1;
  printf("%lu\n", ul);
  float f = 1;
  f += 1e10;
  f -= 1e10;
  printf("%g\n", f);
  _Bool flag = 0;
  flag += 5;
  flag ^= 1;
  flag |= 4;
  printf("%d\n", flag++);
  return 0;
}
