#include <stdio.h>
#include <string.h>

struct big { char data[5000]; int tag; };

static struct big change(struct big b, int n) {
  b.data[n] = (char)n;
  b.tag += n;
  return b;
}

static int deep(int n, struct big b) {
  char local[3000];
  memset(local, n, sizeof local);
  if (n == 0)
    return b.tag + local[2999];
  b.tag += local[n];
  return deep(n - 1, b);
}

static long large(void) {
  long a[20000];
  for (int i = 0; i < 20000; i++)
    a[i] = i;
  long s = 0;
  for (int i = 0; i < 20000; i += 777)
    s += a[19999 - i] - a[i];
  return s;
}

int main(void) {
  struct big b = { "x", 1 };
  b = change(change(b, 10), 4999);
  printf("%d %d %d\n", b.tag, b.data[10], b.data[4999]);
  printf("%d %ld\n", deep(20, b), large());
  return 0;
}
