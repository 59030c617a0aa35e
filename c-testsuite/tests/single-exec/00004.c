#include <stdio.h>

static unsigned step(unsigned x) {
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return x;
}

int main(void) {
  unsigned x = 1, heap[64], n = 0;
  for (int i = 0; i < 64; i++) {
    x = step(x);
    unsigned k = n++;
    while (k && heap[(k - 1) / 2] > x % 1000) {
      heap[k] = heap[(k - 1) / 2];
      k = (k - 1) / 2;
    }
    heap[k] = x % 1000;
  }
  while (n) {
    printf("%u\n", heap[0]);
    unsigned last = heap[--n], k = 0;
    for (;;) {
      unsigned c = 2 * k + 1;
      if (c >= n)
        break;
      if (c + 1 < n && heap[c + 1] < heap[c])
        c++;
      if (heap[c] >= last)
        break;
      heap[k] = heap[c];
      k = c;
    }
    heap[k] = last;
  }
  return 0;
}
