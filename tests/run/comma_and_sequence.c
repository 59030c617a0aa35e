#include <stdio.h>

static int trace(int x) {
  printf("%d ", x);
  return x;
}

int main(void) {
  int a = (trace(1), trace(2), 3), b;
  for (a = 0, b = 10; a < b; a++, b -= 2)
    ;
  printf("%d %d\n", a, b);
  if (trace(0) && trace(1) || trace(2) && !trace(3))
    printf("true ");
  int i = 0;
  int arr[3] = { (trace(4), 5), trace(6) };
  printf("%d %d\n", arr[0], arr[1]);
  b = (a = 5, a + 1);
  printf("%d\n", b);
  return 0;
}
