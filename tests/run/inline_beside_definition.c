// A definition under the assembler name of an inline body stays; calls by the body's declaration are of the body.
#include <stdio.h>
extern int f(int) __asm__("g");
extern inline __attribute__((gnu_inline, always_inline)) int f(int x) { return x + 1; }
int g(int x) { return x + 100; }
int (*volatile pf)(int) = f, (*volatile pg)(int) = g;
int main(void) { printf("%d %d %d %d\n", f(1), g(1), pf(1), pg(1)); return 0; }

int h(int x) { return x + 200; }
extern int i(int) __asm__("h");
extern inline __attribute__((gnu_inline)) int i(int x) { return x + 200; }
__attribute__((constructor)) static void before(void) { int (*volatile p)(int) = i; printf("%d %d %d\n", h(1), p(1), i(2)); }
