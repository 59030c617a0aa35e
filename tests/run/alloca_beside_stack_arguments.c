// lli: routines of the support library
/* Blocks taken from the stack are aligned whatever the stack arguments of the calls in the same function need. */
#include <stdint.h>
#include <stdio.h>

typedef float wide __attribute__((vector_size(32)));

__attribute__((noinline)) static int odd(int a, int b, int c, int d, int e, int f, int g, int h, void *p, unsigned align,
                                         int k) {
  return (int)((uintptr_t)p & (align - 1)) + a + b + c + d + e + f + g + h + k;
}
__attribute__((noinline)) static int stacked(long a, long b, long c, long d, long e, long f, long g, wide v, wide w, wide x,
                                             wide y, wide z, wide s, wide t, wide u, wide last, void *p) {
  return (int)((uintptr_t)p & 15) + (int)last[7] + (int)g;
}
__attribute__((noinline)) static int small(int size) {
  char *p = __builtin_alloca(size);
  p[0] = p[size - 1] = 1;
  return odd(0, 0, 0, 0, 0, 0, 0, 0, p, 16, p[0]);
}
__attribute__((noinline)) static int large(int size) {
  char *p = __builtin_alloca_with_align(size, 512);
  for (int i = 0; i < size; i++) p[i] = i;
  int rest = odd(0, 0, 0, 0, 0, 0, 0, 0, p, 64, 0);
  for (int i = 0; i < size; i++) rest += p[i] != (char)i;
  return rest;
}
__attribute__((noinline)) static int vectors(int size) {
  wide v = {1, 2, 3, 4, 5, 6, 7, 8};
  int out = 0;
  for (int n = 1; n < size; n++) {
    char array[n];
    array[n - 1] = n;
    out += stacked(1, 2, 3, 4, 5, 6, 7, v, v, v, v, v, v, v, v, v, array) + array[n - 1] - n;
  }
  return out;
}
/* The program's own function of this name is not what the builtin calls. */
double powi(double x, int n) { return __builtin_powi(x, n) + 1; }
float fabsq(float x) { return x - 1; }

int main(void) {
  volatile int size = 50;
  printf("%d %d %d\n", small(size), large(size), vectors(size));
  printf("%g %g\n", powi(size, 2), fabsq(-2));
  return 0;
}
