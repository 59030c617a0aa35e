/* Loops over arrays that overlap at all distances, in front and behind, in place, with few and many rounds. */
#include <stdio.h>

#define DEF(name, ty, body) __attribute__((noinline)) void name(ty *a, ty *b, ty *c, int n) { for (int i = 0; i < n; i++) body }
DEF(add, int, { a[i] = b[i] + c[i]; })
DEF(late, int, { a[i] = b[i + 1] * 3; c[i] = a[i] + 1; })
DEF(two, unsigned short, { a[i] = b[i] + 1; b[i] = c[i] * 3; })
DEF(dbl, double, { a[i + 1] = b[i] * 2; c[i] = b[i + 2] - 1; })
DEF(back, float, { a[n - i] = b[n - i] + c[n - i]; })
DEF(mixed, float, { a[i] = b[n - i] + c[i]; })
DEF(bytes, unsigned char, { a[i] = b[i] + c[i]; })
DEF(stores, int, { a[i] = i; b[i] = i * 3; c[i + 2] = i * 5; })
DEF(cond, int, { int t = b[i]; if (c[i] > 5) t += 3; a[i] = t; })
#define RUN(name, ty) do { for (int n = 0; n < 40; n += 1 + n / 9) for (int x = 0; x < 70; x += 1 + x / 12) for (int y = 0; y < 70; y += 1 + y / 5) { \
    static ty m[200]; for (int i = 0; i < 200; i++) m[i] = (ty)(i * 7 % 23); name(m + 2 + x, m + 36, m + y + 2, n); name(m + 36, m + x + 2, m + y + 2, n); name(m + y + 2, m + 36, m + x + 2, n); \
    for (unsigned i = 0; i < sizeof m; i++) h = (h ^ ((unsigned char *)m)[i]) * 16777619u; } printf(#name " %08x\n", h); } while (0)
int main(void) { unsigned h = 2166136261u; RUN(add, int); RUN(late, int); RUN(two, unsigned short); RUN(dbl, double); RUN(back, float); RUN(mixed, float); RUN(bytes, unsigned char); RUN(stores, int); RUN(cond, int); return 0; }
