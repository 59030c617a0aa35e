// flags: -fzero-call-used-regs=all
// interpreter: inline assembly
// llvm: it clears the x87 registers of results, too
// Call-used registers are cleared before a function returns: all but those of the result.
#include <stdarg.h>
#include <stdio.h>

struct pair { long a; double b; };
struct large { long v[6]; };
long double _Complex both(long double x);

__attribute__((noinline)) int integer(int a, int b, int c, int d, int e, int f) { return a * b + c * d - e / f; }
__attribute__((noinline)) double floating(double a, double b) { return a * b + a / b; }
__attribute__((noinline)) long double extended(long double a) { return a * a + 1; }
__attribute__((noinline)) long double _Complex both(long double x) { return x + 2i * x; }
__attribute__((noinline)) struct pair mixed(long x) { return (struct pair){x + 1, x / 2.0}; }
__attribute__((noinline)) struct large memory(long x) { return (struct large){{x, 1, 2, 3, 4, x * x}}; }
__attribute__((noinline)) __int128 wide(long x) { return (__int128)x * x * x; }
__attribute__((noinline)) _Complex double complex_number(double x) { return x + 1i; }
__attribute__((noinline)) int variable(int n, ...)
{
    va_list ap;
    int sum = 0;
    va_start(ap, n);
    while (n--)
        sum += va_arg(ap, int);
    va_end(ap);
    return sum;
}
__attribute__((noinline, zero_call_used_regs("skip"))) int skipped(int x) { return x + 1; }
__attribute__((noinline, zero_call_used_regs("used-gpr-arg"))) long few(long x, long y) { return x * 7 + y; }

/* What the registers hold right behind a call. */
#define LOOK(f, result) \
    __asm__ volatile("movl $1000, %%edi\n\tmovl $3, %%esi\n\tmovl $7, %%r8d\n\tmovl $8, %%r9d\n\tcall *%[fn]\n\t" \
                     "orq %%rdi, %%rsi\n\torq %%r8, %%rsi\n\torq %%r9, %%rsi\n\torq %%r10, %%rsi\n\torq %%r11, %%rsi\n\t" \
                     "orq %%rcx, %%rsi\n\tmovq %%rsi, %0" \
                     : "=r"(result) \
                     : [fn] "b"(f) \
                     : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", \
                       "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc")

__attribute__((noinline)) long after(void *function)
{
    /* The red zone is not this function's while it calls. */
    char room[256];
    long result;
    __asm__ volatile("" : : "r"(room) : "memory");
    LOOK(function, result);
    return result;
}

int main(void)
{
    printf("%d %g\n", integer(2, 3, 4, 5, 6, 3), floating(3, 4));
    long double _Complex z = both(1.5L);
    printf("%Lg %Lg %Lg\n", extended(3), __real__ z, __imag__ z);
    struct pair p = mixed(9);
    struct large l = memory(11);
    printf("%ld %g %ld %ld\n", p.a, p.b, l.v[0], l.v[5]);
    printf("%lld\n", (long long)(wide(-2000000) >> 3));
    _Complex double c = complex_number(2.5);
    printf("%g %g %d\n", __real__ c, __imag__ c, variable(3, 10, 20, 30));
    printf("%d %ld\n", skipped(4), few(5, 6));
    printf("%ld %ld\n", after(integer), after(mixed));
    return 0;
}
