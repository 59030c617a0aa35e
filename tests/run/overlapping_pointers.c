/* Loops over arrays that overlap at all distances, in front and behind, in place, with few and many rounds. */
#include <stdio.h>

#define DEF(name, ty, body) __attribute__((noinline)) void name(ty *a, ty *b, ty *c, int n) { for (int i = 0; i < n; i++) body }
DEF(add, unsigned, { a[i] = b[i] + c[i]; })
DEF(late, unsigned, { a[i] = b[i + 1] * 3; c[i] = a[i] + 1; })
DEF(two, unsigned short, { a[i] = b[i] + 1; b[i] = c[i] * 3; })
DEF(dbl, double, { a[i + 1] = b[i] * 2; c[i] = b[i + 2] - 1; })
DEF(back, float, { a[n - i] = b[n - i] + c[n - i]; })
DEF(mixed, float, { a[i] = b[n - i] + c[i]; })
DEF(bytes, unsigned char, { a[i] = b[i] + c[i]; })
DEF(stores, unsigned, { a[i] = i; b[i] = i * 3; c[i + 2] = i * 5; })
DEF(cond, unsigned, { unsigned t = b[i]; if (c[i] > 5) t += 3; a[i] = t; })
#define RUN(name, ty) do { for (int n = 0; n < 40; n += 1 + n / 3) for (int x = 26; x < 46; x++) { \
    static ty m[90]; for (int i = 0; i < 90; i++) m[i] = (ty)(i * 7 % 23); \
    for (int y = 28; y < 46; y += 7) { name(m + x, m + 36, m + y, n); name(m + 36, m + x, m + y, n); name(m + y, m + 36, m + x, n); } \
    for (unsigned i = 0; i < sizeof m; i++) h = (h ^ ((unsigned char *)m)[i]) * 16777619u; } printf(#name " %08x\n", h); } while (0)
int main(void) { unsigned h = 2166136261u; RUN(add, unsigned); RUN(late, unsigned); RUN(two, unsigned short); RUN(dbl, double); RUN(back, float); RUN(mixed, float); RUN(bytes, unsigned char); RUN(stores, unsigned); RUN(cond, unsigned); return 0; }
