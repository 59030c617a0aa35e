#include <stdio.h>

int main(void) {
  int s = 0;
  for (int i = 0; i < 10; i++)
    for (int j = i; j < 10; j += 2) {
      if (j == 7)
        continue;
      if (i * j > 40)
        break;
      s += i * j;
    }
  printf("%d\n", s);
  int n = 27, steps = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    steps++;
  }
  printf("%d\n", steps);
  int k = 0;
  do {
    k++;
    if (k == 3)
      continue;
  } while (k < 5);
  printf("%d\n", k);
  unsigned u;
  for (u = 10; u-- > 0;)
    s ^= (int)u;
  printf("%d %u\n", s, u);
  for (;;) {
    if (++k > 20)
      goto out;
  }
out:
  printf("%d\n", k);
  int a[5], *p;
  for (p = a; p < a + 5; p++)
    *p = (int)(p - a) * 3;
  while (p-- > a)
    printf("%d ", *p);
  printf("\n");
  long total = 0;
  for (long i = -5, j = 5; i < j; i++, j--)
    total += i * j;
  printf("%ld\n", total);
  for (char c = 'a'; c <= 'z'; c += 5)
    putchar(c);
  putchar('\n');
  float f;
  int count = 0;
  for (f = 0; f < 1; f += 0.125f)
    count++;
  printf("%d\n", count);
  return 0;
}
