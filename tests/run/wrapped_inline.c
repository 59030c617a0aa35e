// interpreter: an inline body and the function of that name that it calls are one function in the text of the IR
// llvm: an inline body and the function of that name that it calls are one function there
// gcc's wrappers of library functions: an inline body under a function's name that calls the function itself by another declaration.
#include <stdio.h>

extern int plain(int) __asm__("twice");
extern int plain_checked(int, int) __asm__("twice_checked") __attribute__((warning("too large")));
extern inline __attribute__((always_inline, gnu_inline)) int twice(int x)
{
    if (__builtin_constant_p(x) && x > 100)
        return plain_checked(x, 100);
    return plain(x) + 1000;
}

extern int other_plain(int) __asm__("other");
extern inline __attribute__((gnu_inline)) int other(int x)
{
    return x == 0 ? 5 : other_plain(x - 1) + 1;
}

__attribute__((noinline)) int user(int x) { return twice(x) + twice(3); }

// A definition under the assembler name of an inline body stays; calls by the body's declaration are of the body.
extern int f(int) __asm__("g");
extern inline __attribute__((gnu_inline, always_inline)) int f(int x) { return x + 1; }
int g(int x) { return x + 100; }
int (*volatile pf)(int) = f, (*volatile pg)(int) = g;

int h(int x) { return x + 200; }
extern int i(int) __asm__("h");
extern inline __attribute__((gnu_inline)) int i(int x) { return x + 200; }
__attribute__((constructor)) static void before(void) { int (*volatile p)(int) = i; printf("%d %d %d\n", h(1), p(1), i(2)); }

int main(void)
{
    printf("%d %d\n", user(5), plain(7));
    printf("%d\n", other_plain(3));
#ifdef __OPTIMIZE__
    printf("%d\n", twice(7) - 1000 - plain(7));
#else
    printf("0\n");
#endif
    printf("%d %d %d %d\n", f(1), g(1), pf(1), pg(1));
    return 0;
}

__asm__(".text\n.globl twice\n.type twice,@function\ntwice:\n leal (%rdi,%rdi), %eax\n ret\n"
        ".globl twice_checked\ntwice_checked:\n movl %esi, %eax\n ret\n"
        ".globl other\n.type other,@function\nother:\n imull $10, %edi, %eax\n ret\n");
