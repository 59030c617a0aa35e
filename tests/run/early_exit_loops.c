#include <stdio.h>

static int find(const int *a, int n, int x) {
  for (int i = 0; i < n; i++)
    if (a[i] == x)
      return i;
  return -1;
}

static int nested(int n) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) {
      if (i * j == 42)
        return i * 100 + j;
      if (i + j > 50)
        goto next;
    }
next:
  return 0;
}

static int binary_search(const int *a, int n, int x) {
  int lo = 0, hi = n - 1;
  while (lo <= hi) {
    int m = lo + (hi - lo) / 2;
    if (a[m] < x)
      lo = m + 1;
    else if (a[m] > x)
      hi = m - 1;
    else
      return m;
  }
  return ~lo;
}

static unsigned collatz(unsigned long n) {
  unsigned k = 0;
  for (;; k++) {
    if (n == 1)
      break;
    if (n & 1) {
      n = 3 * n + 1;
      continue;
    }
    n >>= 1;
  }
  return k;
}

static int parse(const char *s) {
  int v = 0, sign = 1;
  while (*s == ' ')
    s++;
  if (*s == '-' || *s == '+')
    sign = *s++ == '-' ? -1 : 1;
  for (; *s; s++) {
    if (*s < '0' || *s > '9')
      break;
    v = v * 10 + (*s - '0');
  }
  return v * sign;
}

int main(void) {
  int a[] = { 2, 3, 5, 7, 11, 13, 17, 19, 23 };
  printf("%d %d %d\n", find(a, 9, 11), find(a, 9, 12), nested(30));
  for (int i = 0; i < 25; i += 4)
    printf("%d ", binary_search(a, 9, i));
  printf("\n%u %u %d %d\n", collatz(27), collatz(837799), parse("  -123x"), parse("+77"));
  return 0;
}
