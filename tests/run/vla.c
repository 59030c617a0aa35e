#include <stdio.h>
#include <string.h>
#include <stdlib.h>

static int sum(int n, int m, int a[n][m]) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s += a[i][j];
  return s;
}

static size_t sizes(int n) {
  char a[n];
  int b[n][n + 1];
  n = 100;
  return sizeof a * 1000 + sizeof b + sizeof b[0];
}

static int loop(int k) {
  int r = 0;
  for (int i = 1; i <= k; i++) {
    int v[i];
    for (int j = 0; j < i; j++)
      v[j] = j * i;
    r += v[i - 1];
    if (i % 3 == 0)
      continue;
    char text[i + 4];
    sprintf(text, "%d", i);
    r += (int)strlen(text);
  }
  return r;
}

static int jump(int n) {
  int count = 0;
again:;
  int a[n];
  a[n - 1] = n;
  count += a[n - 1];
  if (--n > 0)
    goto again;
  return count;
}

static int typedefs(int n) {
  typedef int row[n];
  row *p = malloc(3 * sizeof(row));
  n = 1;
  for (int i = 0; i < 3; i++)
    for (size_t j = 0; j < sizeof(row) / sizeof(int); j++)
      p[i][j] = i * 10 + (int)j;
  int r = p[2][3] + (int)(p + 1 == (row *)((char *)p + sizeof(row)));
  free(p);
  return r;
}

static void *address(char *p) { return p; }

static int dynamic(int n) {
  char *p = __builtin_alloca(n);
  char *q = __builtin_alloca(n);
  memset(p, 1, n);
  memset(q, 2, n);
  int s = 0;
  for (int i = 0; i < n; i++)
    s += address(p) ? p[i] * q[i] : 0;
  return s + (int)((unsigned long)p & 15);
}

static int side(int *n, int a[*n]) { return a[0] + *n; }

int main(void) {
  int n = 3, m = 4, a[n][m];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = i * 10 + j;
  printf("%d %zu\n", sum(n, m, a), sizeof a);
  printf("%zu %d %d %d %d\n", sizes(5), loop(10), jump(5), typedefs(4), dynamic(33));
  int (*p)[m] = a;
  p++;
  printf("%d %ld\n", (*p)[2], (long)((char *)p - (char *)a));
  int k = 2;
  printf("%zu %d\n", sizeof(int[k++]), k);
  printf("%d\n", side(&n, a[0]));
  int big[n * 1000];
  memset(big, 0, sizeof big);
  big[2999] = 5;
  printf("%d\n", big[2999]);
  return 0;
}
