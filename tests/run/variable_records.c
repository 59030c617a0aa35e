/* Structures and unions with members whose size is known at run time (GNU). */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static int sizes(int n) {
  struct s { char a; int b[n]; short c; double d; };
  struct __attribute__((packed)) p { char a; int b[n]; short c; };
  union u { char c[n]; int i; };
  struct nested { struct s s; char tail[n + 1]; };
  printf("%d %d %d %d\n", (int)sizeof(struct s), (int)sizeof(struct p), (int)sizeof(union u), (int)sizeof(struct nested));
  printf("%d %d %d\n", (int)offsetof(struct s, c), (int)offsetof(struct s, d), (int)offsetof(struct nested, tail));
  return sizeof(struct s[2]);
}

static int members(int n) {
  struct s { char a[n]; int b : 3, c : 17; int d; } x, y[2], *p = &y[1];
  memset(&x, 0, sizeof x);
  x.a[n - 1] = 'x';
  x.b = -2;
  x.c = 1234;
  x.d = 99;
  *p = x;
  y[0] = y[1];
  y[0].c++;
  p->d += y[0].d;
  n = 1000;
  printf("%c %d %d %d %d\n", y[0].a[(char *)&y[1] - (char *)y > 8 ? 4 : 0], y[0].b, y[0].c, p->d, (int)(p - y));
  return sizeof x;
}

static int functions(int n) {
  struct s { int head, body[n]; };
  auto struct s make(int first);
  struct s make(int first) {
    struct s s;
    s.head = first;
    for (int i = 0; i < n; i++) s.body[i] = first * i;
    return s;
  }
  int sum(struct s s) {
    int total = s.head;
    for (int i = 0; i < n; i++) total += s.body[i];
    s.body[0] = -1;
    return total;
  }
  struct s one, two;
  one = make(3);
  two = one;
  two = make(10);
  int total = sum(one) + sum(two);
  two = one;
  return total + one.body[0] + two.body[n - 1];
}

static int pointers(int x, int y, void *memory) {
  struct s { double (*e)[x][y]; } s = {memory};
  (*s.e)[x - 1][y - 1] = 2.5;
  x += 10, y += 10;
  return ((double *)memory)[11] == 2.5 && sizeof *s.e == 96;
}

__attribute__((noinline)) static int unnamed(int n, ...) {
  struct s { char a[n]; int b; } one;
  va_list list;
  int total = 0;
  va_start(list, n);
  one = va_arg(list, struct s);
  total += one.a[n - 1] + one.b;
  total += va_arg(list, int);
  one = va_arg(list, typeof(one));
  total += one.b;
  total += (int)va_arg(list, double);
  va_end(list);
  return total;
}

static int pass_unnamed(int n) {
  struct s { char a[n]; int b; } one, two;
  one.a[n - 1] = 7;
  one.b = 100;
  two = one;
  two.b = 2000;
  return unnamed(n, one, 30000, two, 400000.0) + one.b;
}

int main(void) {
  printf("%d %d\n", pass_unnamed(3), pass_unnamed(100));
  double memory[12] = {0};
  printf("%d %d\n", sizes(3), sizes(4));
  printf("%d\n", members(5));
  printf("%d\n", functions(4));
  printf("%d\n", pointers(3, 4, memory));
  return 0;
}
