/* Operands of typeof are evaluated if their type is variably modified, and only then. */
#include <stdio.h>
static int bytes[8];
int main(void) {
  int i = 0, n = 3, k = -1;
  void *p = bytes;
  int (*t)[n] = p;
  __typeof__(t + (i++, 0)) a = t;
  printf("%d\n", i);
  __typeof__(i + (i++, 0)) b = 1;
  printf("%d %d\n", i, b);
  (void)(__typeof__((int (*)[(k = ++i)])p))p;
  printf("%d %d\n", i, k);
  int j = sizeof(__typeof__(*(++i, (char (*)[i])p)));
  printf("%d %d\n", i, j);
  int(**q)[1] = (void *)&(__typeof__(++i, (int (*)[i])p)){p};
  printf("%d %d %d\n", i, *q == (void *)bytes, a == t);
  return 0;
}
