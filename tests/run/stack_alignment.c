// flags: -mincoming-stack-boundary=3
// interpreter: the stack pointer is moved by assembly
// llvm: the stack pointer is moved by assembly
// Functions that are entered with a stack aligned to 8 bytes align it for their variables, spills and calls.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

typedef float v4sf __attribute__((vector_size(16)));
static int wrong;
static volatile v4sf one = {1, 1, 1, 1};

__attribute__((noinline)) static void check(void *p, unsigned align)
{
    wrong += (uintptr_t)p % align != 0;
    // The caller's stack pointer.
    wrong += ((uintptr_t)__builtin_frame_address(0) & 15) != 0;
}

__attribute__((noinline)) static void leaf(int *out)
{
    _Alignas(16) volatile int x[4] = {1, 2, 3, 4};
    *out = x[1] + (int)((uintptr_t)x & 15);
}

__attribute__((noinline, used)) void locals(void)
{
    _Alignas(16) char a[16];
    _Alignas(64) char b[64];
    check(a, 16);
    check(b, 64);
    int n;
    leaf(&n);
    wrong += n != 2;
}

__attribute__((noinline)) static v4sf sum(v4sf a, v4sf b) { return a + b; }

__attribute__((noinline, used)) void spills(void)
{
    v4sf a = one, b = one, c = one;
    a = sum(a, b);
    b = sum(b, c);
    c = sum(a, b);
    wrong += c[0] != 4;
}

__attribute__((noinline, used)) void varied(void)
{
    for (volatile int n = 1; n < 40; n += 13) {
        char text[n];
        check(__builtin_alloca(n), 16);
        text[0] = 1;
        wrong += text[0] != 1;
    }
}

__attribute__((noinline)) static void many(int a, int b, int c, int d, int e, int f, int g, long double h)
{
    check(&h, 16);
    wrong += a + b + c + d + e + f + g != 28 || h != 2.5L;
}

__attribute__((noinline, used)) void arguments(void) { many(1, 2, 3, 4, 5, 6, 7, 2.5L); }

__attribute__((noinline, used)) void jump(void) { locals(); }

#define ENTER(f)                                                                                                     \
    __asm__ volatile("mov %%rsp, %%rbx\n\tsub $128, %%rsp\n\tand $-16, %%rsp\n\tsub $%c0, %%rsp\n\tcall " #f          \
                     "\n\tmov %%rbx, %%rsp"                                                                          \
                     :                                                                                               \
                     : "i"(8)                                                                                        \
                     : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc", "xmm0",   \
                       "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",     \
                       "xmm12", "xmm13", "xmm14", "xmm15")

int main(void)
{
    ENTER(locals);
    ENTER(spills);
    ENTER(varied);
    ENTER(arguments);
    ENTER(jump);
    locals();
    spills();
    varied();
    arguments();
    jump();
    printf("%d\n", wrong);
}
