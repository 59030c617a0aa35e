#include <stdio.h>

static const int table[] = { 1, 2, 3 };
static const volatile int status = 5;
struct config { const char *name; const int limit; };

static size_t length(const char *const restrict s) {
  const char *p = s;
  while (*p)
    p++;
  return (size_t)(p - s);
}

static int const *pick(int const *const a, int i) { return a + i; }

int main(void) {
  const struct config c = { "cfg", 10 };
  struct config d = c;
  int x = 1;
  const int *pc = &x;
  x = 2;
  int *const cp = &x;
  *cp += *pc;
  const char *const names[2] = { "a", "b" };
  printf("%d %d %zu %d %s %s %d\n", *pick(table, 2), status, length("four"), d.limit, c.name, names[1], x);
  typedef const int ci;
  ci v = 4;
  typedef int arr[3];
  const arr ca = { 1, 2, 3 };
  printf("%d %d\n", v, ca[1] + ca[2]);
  return 0;
}
