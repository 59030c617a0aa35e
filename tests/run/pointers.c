#include <stdio.h>
#include <stddef.h>
#include <stdint.h>

static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}

static int **indirect(int *p) {
  static int *q;
  q = p;
  return &q;
}

int main(void) {
  int a = 1, b = 2;
  swap(&a, &b);
  printf("%d %d %d\n", a, b, **indirect(&a));
  int m[3][4];
  for (int i = 0; i < 12; i++)
    (&m[0][0])[i] = i;
  int (*row)[4] = m + 1;
  printf("%d %d %d %ld\n", (*row)[2], row[1][3], *(*(m + 2) + 1), (long)(&m[2] - &m[0]));
  printf("%ld %ld\n", (long)(&m[2][3] - &m[0][1]), (long)((char *)&m[1] - (char *)&m[0]));
  char *s = "hello", **ps = &s;
  printf("%c %c %s\n", *s, (*ps)[1], *ps + 3);
  void *v = m;
  int *ip = v;
  printf("%d %d\n", ip[5], v == (void *)m);
  ptrdiff_t d = &ip[7] - &ip[2];
  uintptr_t u = (uintptr_t)&ip[3] - (uintptr_t)ip;
  printf("%td %zu\n", d, (size_t)u);
  const int *const cp = &a;
  printf("%d\n", *cp);
  int *arr[2] = { &a, &b };
  int *(*pa)[2] = &arr;
  *(*pa)[1] += 40;
  printf("%d\n", b);
  struct { int x; int *p; } st = { 5, 0 };
  st.p = &st.x;
  *st.p = 6;
  printf("%d %d\n", st.x, st.p == &st.x);
  int *null = NULL;
  printf("%d %d %d\n", null == 0, !null, null ? 1 : 2);
  printf("%d %d\n", &a < &a + 1, (&a + 1) - &a == 1);
  long sum = 0;
  for (int *p = &m[0][0], *e = p + 12; p != e; ++p)
    sum += *p;
  printf("%ld\n", sum);
  char buf[16];
  *(int *)(void *)(buf + 4) = 0x01020304;
  printf("%d %d\n", buf[4], buf[7]);
  return 0;
}
