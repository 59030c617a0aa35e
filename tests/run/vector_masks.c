/* Comparisons of vectors give vectors of signed integers that convert to any vector of the size. */
#include <stdio.h>
typedef unsigned char bytes __attribute__((vector_size(16)));
typedef unsigned short halves __attribute__((vector_size(16)));
__attribute__((noinline)) static bytes masks(bytes a, bytes b) {
  bytes low = 7 <= a, same = (a == b) & ~(b > 9);
  halves wide = a > b;
  return low + same + (bytes)wide;
}
int main(void) {
  bytes a = {1, 2, 3, 9, 10, 11, 12, 7}, b = {1, 3, 3, 8, 10, 12, 12, 7}, r = masks(a, b);
  for (int i = 0; i < 16; i++) printf("%d ", r[i]);
  printf("\n");
  return 0;
}
