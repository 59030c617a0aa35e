#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  enum { N = 20000 };
  unsigned char *composite = calloc(N + 1, 1);
  int count = 0, last = 0;
  for (int i = 2; i <= N; i++) {
    if (composite[i])
      continue;
    count++;
    last = i;
    for (long j = (long)i * i; j <= N; j += i)
      composite[j] = 1;
  }
  printf("%d %d\n", count, last);
  unsigned bits[(N + 31) / 32];
  memset(bits, 0xff, sizeof bits);
  for (unsigned i = 2; i * i < N; i++)
    if (bits[i / 32] >> i % 32 & 1)
      for (unsigned j = i * i; j < N; j += i)
        bits[j / 32] &= ~(1u << j % 32);
  int n = 0;
  for (unsigned i = 2; i < N; i++)
    n += bits[i / 32] >> i % 32 & 1;
  printf("%d\n", n);
  free(composite);
  return 0;
}
