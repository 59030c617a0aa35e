// flags: -Wall
// The same pointer for a restrict parameter and for another one. Through pointers to const nothing is changed.
#include <string.h>
#include <stdio.h>
struct S { int x; int *p; void (*set)(int *restrict, int *); };
void f(int *restrict a, int *b);
void g(const int *restrict a, int *b);
void many(int *restrict a, ...);
void three(int *restrict a, const int *restrict b, int *restrict c);
int h(char *p, struct S *s, int i) {
  int x = 0;
  f(&x, &x);
  f(s->p + 1, s->p + 1);
  f((int *)p, (void *)p);
  many(&x, 1, &x);
  three(s->p, s->p, s->p);
  s->set(&x, &x);
  strcpy(p, p);
  memcpy(p, p, i);
  memcpy(p, p, 0);
  memmove(p, p, 4);
  f(0, 0);
  g(&x, &x);
  f(&x, &s->x);
  f(s[i++].p, s[i++].p);
  return sscanf(p, "%d", &x) + x;
}
