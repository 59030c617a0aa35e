#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned seed = 12345;
static unsigned rnd(void) { return seed = seed * 1103515245 + 12345; }

static void quick(int *a, int lo, int hi) {
  while (lo < hi) {
    int p = a[(lo + hi) / 2], i = lo, j = hi;
    while (i <= j) {
      while (a[i] < p) i++;
      while (a[j] > p) j--;
      if (i <= j) {
        int t = a[i];
        a[i++] = a[j];
        a[j--] = t;
      }
    }
    quick(a, lo, j);
    lo = i;
  }
}

static void merge(double *a, double *t, int n) {
  if (n < 2)
    return;
  int m = n / 2;
  merge(a, t, m);
  merge(a + m, t, n - m);
  memcpy(t, a, sizeof *a * n);
  for (int i = 0, j = m, k = 0; k < n; k++)
    a[k] = j >= n || (i < m && t[i] <= t[j]) ? t[i++] : t[j++];
}

static void shell(short *a, int n) {
  for (int gap = n / 2; gap; gap /= 2)
    for (int i = gap; i < n; i++)
      for (int j = i - gap; j >= 0 && a[j] > a[j + gap]; j -= gap) {
        short t = a[j];
        a[j] = a[j + gap];
        a[j + gap] = t;
      }
}

struct record { char name[8]; int key; };
static int by_key(const void *x, const void *y) {
  const struct record *a = x, *b = y;
  return a->key != b->key ? (a->key > b->key) - (a->key < b->key) : strcmp(a->name, b->name);
}

int main(void) {
  int a[500];
  double d[300], t[300];
  short s[200];
  struct record r[50];
  for (int i = 0; i < 500; i++) a[i] = (int)(rnd() >> 8) % 1000 - 500;
  for (int i = 0; i < 300; i++) d[i] = (double)(rnd() >> 8) / 1000;
  for (int i = 0; i < 200; i++) s[i] = (short)(rnd() >> 12);
  for (int i = 0; i < 50; i++) {
    r[i].key = (int)(rnd() >> 16) % 10;
    sprintf(r[i].name, "n%d", i);
  }
  quick(a, 0, 499);
  merge(d, t, 300);
  shell(s, 200);
  qsort(r, 50, sizeof *r, by_key);
  int ok = 1;
  for (int i = 1; i < 500; i++) ok &= a[i - 1] <= a[i];
  for (int i = 1; i < 300; i++) ok &= d[i - 1] <= d[i];
  for (int i = 1; i < 200; i++) ok &= s[i - 1] <= s[i];
  printf("%d %d %d %g %d %s %s\n", ok, a[0], a[499], d[150], s[100], r[0].name, r[49].name);
  return 0;
}
