#include <stdio.h>
#include <string.h>

struct s { int a; float b; struct s *next; };

static int through(int *p, float *q) {
  *p = 1;
  *q = 2;
  return *p;
}

static void add(int n, int *restrict d, const int *restrict a, const int *restrict b) {
  for (int i = 0; i < n; i++)
    d[i] = a[i] + b[i];
}

static void overlap(int *d, const int *s, int n) {
  for (int i = 0; i < n; i++)
    d[i] = s[i] + 1;
}

static int chars(int *p, unsigned char *c) {
  *p = 0x11223344;
  c[1] = 0;
  return *p;
}

static int chain(struct s *p) {
  p->a = 5;
  p->next->a = 7;
  return p->a;
}

static int global;
static int clobber(int *p) {
  global = 1;
  *p = 2;
  return global;
}

static int loop(int *a, int *n) {
  int s = 0;
  for (int i = 0; i < *n; i++) {
    a[i] += i;
    s += a[i];
  }
  return s;
}

// Elements of arrays that lie in a union, with indices that are not known.
static union { unsigned long whole[2]; unsigned parts[4]; struct { short s[8]; } small; } u;

static unsigned long elements(int i, int j, int k) {
  u.whole[i] = 5;
  u.parts[j] = 7;
  u.small.s[k] = 9;
  return u.whole[i];
}

static int hoisted(int n, unsigned char mask) {
  for (int i = 0; i < n; i++)
    u.small.s[(u.whole[0] & mask) + 1]++;
  return u.small.s[1] * 100 + u.small.s[2];
}

int main(void) {
  int i;
  float f;
  printf("%d\n", through(&i, &f));
  int a[] = { 1, 2, 3, 4 }, b[] = { 10, 20, 30, 40 }, d[4];
  add(4, d, a, b);
  printf("%d %d\n", d[0], d[3]);
  int o[6] = { 0 };
  overlap(o + 1, o, 5);
  printf("%d %d\n", o[5], chars(&i, (unsigned char *)&i));
  struct s x = { 1, 2, &x };
  printf("%d %d\n", chain(&x), clobber(&global));
  int arr[5] = { 1, 1, 1, 1, 4 };
  printf("%d\n", loop(arr, &arr[4]));
  printf("%lx\n", elements(0, 1, 1));
  u.whole[0] = u.whole[1] = 0;
  u.small.s[0] = 1;
  u.parts[1] = 0;
  printf("%d\n", hoisted(5, 1));
  return 0;
}
