// Objects that are made in the bounds of nested functions' parameters.
#include <stdio.h>

static int bounds(int x) {
  int v[(int){x} + 2];
  v[0] = x;
  v[1] = 7;
  int first(int p[(int){x}]) { return p[0] + (int)sizeof(v) / (int)sizeof(int); }
  int second(int n, int p[({
               int k = n;
               k + x;
             })][(int){n} + 1]) {
    return p[1][0] + (int)(sizeof p[0] / sizeof(int));
  }
  int third(int n, int p[*(int[]){n, 3}][x ?: 5]) { return (int)(sizeof p[0] / sizeof(int)); }
  int m[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  return first(v) * 1000 + second(2, m) * 10 + third(2, (void *)m);
}

int main(void) { printf("%d %d\n", bounds(3), bounds(1)); }
