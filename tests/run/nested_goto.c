// lli: trampolines need an executable stack
// A nested function that leaves its enclosing function's calls by goto.
#include <stdio.h>

static int apply(int (*f)(int), int x) { return f(x) + 1; }

static int search(int const *a, int n, int wanted) {
  __label__ found;
  int at = -1;
  int look(int i) {
    if (a[i] == wanted) {
      at = i;
      goto found;
    }
    return i;
  }
  for (int i = 0; i < n; i++) apply(look, i);
  return -1;
found:
  return at;
}

int main(void) {
  int a[] = { 5, 3, 8, 1 };
  printf("%d %d\n", search(a, 4, 8), search(a, 4, 7));
  return 0;
}
