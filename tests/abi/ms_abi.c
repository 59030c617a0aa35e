/* The Microsoft x64 calling convention: arguments and results of every kind, variable arguments, pointers to functions, kept registers. */
#include <complex.h>
#include <stdio.h>
#include <string.h>

#define MS __attribute__((ms_abi))

typedef struct { char a; } one;
typedef struct { char a, b; } two;
typedef struct { char a[3]; } three;
typedef struct { float a; } single;
typedef struct { int a, b; } eight;
typedef struct { double a; } wrapped;
typedef struct { long a, b; } sixteen;
typedef struct { long a[5]; } large;
typedef union { float f; int i[2]; } both;
typedef float v4f __attribute__((vector_size(16)));
typedef int v2i __attribute__((vector_size(8)));
typedef double v4d __attribute__((vector_size(32)));

MS long integers(char a, short b, int c, long d, unsigned char e, long f, int g);
MS double floats(float a, double b, float c, double d, float e, double f);
MS double mixed(int a, double b, long c, float d, double e, char f);
MS one id_one(int before, one a, int after);
MS two id_two(int before, two a, int after);
MS three id_three(int before, three a, int after);
MS single id_single(int before, single a, int after);
MS eight id_eight(int before, eight a, int after);
MS wrapped id_wrapped(int before, wrapped a, int after);
MS sixteen id_sixteen(int before, sixteen a, int after);
MS large id_large(int before, large a, int after);
MS both id_both(int before, both a, int after);
MS v4f id_v4f(int before, v4f a, int after);
MS v2i id_v2i(int before, v2i a, int after);
MS v4d id_v4d(int before, v4d a, int after);
MS __int128 id_int128(int before, __int128 a, int after);
MS long double id_long_double(int before, long double a, int after);
MS _Float128 id_float128(int before, _Float128 a, int after);
MS float complex id_complex(int before, float complex a, int after);
MS double complex id_double_complex(int before, double complex a, int after);
MS _Bool id_bool(int before, _Bool a, int after);
MS large on_stack(int a, int b, int c, large d, sixteen e, eight f, single g, v4f h, double i);
MS long variadic(int n, ...);
MS long variadic_many(char a, double b, int c, long d, int n, ...);
MS long apply(MS long (*f)(int, long), long (*g)(int, long), int x);
long sysv(int a, long b);
MS long microsoft(int a, long b);
MS double clobbers(double x);
double (MS *pointer_to_clobbers(void))(double);

#ifdef CALLEE
MS long integers(char a, short b, int c, long d, unsigned char e, long f, int g)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g;
}
MS double floats(float a, double b, float c, double d, float e, double f)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f;
}
MS double mixed(int a, double b, long c, float d, double e, char f) { return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f; }
#define ID(name, type) MS type name(int before, type a, int after) \
{ \
    ((char *)&a)[0] += before + after; \
    return a; \
}
ID(id_one, one)
ID(id_two, two)
ID(id_three, three)
ID(id_eight, eight)
ID(id_sixteen, sixteen)
ID(id_large, large)
ID(id_both, both)
ID(id_v2i, v2i)
ID(id_int128, __int128)
MS single id_single(int before, single a, int after) { a.a += before + after; return a; }
MS wrapped id_wrapped(int before, wrapped a, int after) { a.a += before + after; return a; }
MS v4f id_v4f(int before, v4f a, int after) { return a + (float)(before + after); }
MS v4d id_v4d(int before, v4d a, int after) { return a + (double)(before + after); }
MS long double id_long_double(int before, long double a, int after) { return a + before + after; }
MS _Float128 id_float128(int before, _Float128 a, int after) { return a + before + after; }
MS float complex id_complex(int before, float complex a, int after) { return a + before + after * 1.0if; }
MS double complex id_double_complex(int before, double complex a, int after) { return a + before + after * 1.0i; }
MS _Bool id_bool(int before, _Bool a, int after) { return a && before < after; }
MS large on_stack(int a, int b, int c, large d, sixteen e, eight f, single g, v4f h, double i)
{
    d.a[0] += a + b + c + e.b + f.b + (long)g.a + (long)h[3] + (long)i;
    e.a = 0;
    return d;
}
MS long variadic(int n, ...)
{
    __builtin_ms_va_list list, again;
    __builtin_ms_va_start(list, n);
    __builtin_ms_va_copy(again, list);
    long sum = 0;
    for (int i = 0; i < n; i++) {
        sum += __builtin_va_arg(list, int);
        sum += 2 * (long)__builtin_va_arg(list, double);
        sum += 3 * __builtin_va_arg(list, long);
        sum += 4 * __builtin_va_arg(list, eight).b;
    }
    __builtin_ms_va_end(list);
    sum += 100000 * __builtin_va_arg(again, int);
    __builtin_ms_va_end(again);
    return sum;
}
static long sum_of(int n, __builtin_ms_va_list list)
{
    long sum = 0;
    while (n-- > 0) sum += __builtin_va_arg(list, long);
    return sum;
}
MS long variadic_many(char a, double b, int c, long d, int n, ...)
{
    __builtin_ms_va_list list;
    __builtin_ms_va_start(list, n);
    long sum = sum_of(n, list) + a + (long)b + c + d;
    __builtin_ms_va_end(list);
    return sum;
}
long sysv(int a, long b) { return 10 * a + b; }
MS long microsoft(int a, long b) { return 100 * a + b; }
MS long apply(MS long (*f)(int, long), long (*g)(int, long), int x)
{
    double keep = x * 0.5;
    long r = f(x, 1) + g(x, 2);
    return r + (long)(keep * 2);
}
/* Everything that a System V function may destroy. */
static __attribute__((noinline)) double destroy(double x)
{
    __asm__ volatile("xorl %%edi, %%edi; xorl %%esi, %%esi; pxor %%xmm6, %%xmm6; pxor %%xmm7, %%xmm7; pxor %%xmm8, %%xmm8;"
                     "pxor %%xmm9, %%xmm9; pxor %%xmm10, %%xmm10; pxor %%xmm11, %%xmm11; pxor %%xmm12, %%xmm12;"
                     "pxor %%xmm13, %%xmm13; pxor %%xmm14, %%xmm14; pxor %%xmm15, %%xmm15" ::
                         : "rdi", "rsi", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
    return x + 1;
}
MS double clobbers(double x) { return destroy(x) * 2; }
double (MS *pointer_to_clobbers(void))(double) { return clobbers; }
#endif

#ifdef CALLER
static unsigned long kept[22];
/* Fills rdi, rsi and xmm6 to xmm15, calls, and stores them. */
static double call_and_look(MS double (*f)(double), double x)
{
    register double result __asm__("xmm0") = x;
    unsigned long *out = kept;
    __asm__ volatile(
        "movl $0x11, %%edi; movl $0x22, %%esi; movq %%rdi, %%xmm6; punpcklqdq %%xmm6, %%xmm6; movq %%rsi, %%xmm7;"
        "movdqa %%xmm6, %%xmm8; paddq %%xmm8, %%xmm8; movdqa %%xmm8, %%xmm9; paddq %%xmm6, %%xmm9; movdqa %%xmm9, %%xmm10;"
        "paddq %%xmm6, %%xmm10; movdqa %%xmm10, %%xmm11; paddq %%xmm6, %%xmm11; movdqa %%xmm11, %%xmm12;"
        "paddq %%xmm6, %%xmm12; movdqa %%xmm12, %%xmm13; paddq %%xmm6, %%xmm13; movdqa %%xmm13, %%xmm14;"
        "paddq %%xmm6, %%xmm14; movdqa %%xmm14, %%xmm15; paddq %%xmm6, %%xmm15;"
        "movq %%rsp, %%r12; andq $-16, %%rsp; subq $160, %%rsp; call *%%rax; movq %%r12, %%rsp;"
        "movq %%rdi, 0(%%rbx); movq %%rsi, 8(%%rbx); movdqu %%xmm6, 16(%%rbx); movdqu %%xmm7, 32(%%rbx);"
        "movdqu %%xmm8, 48(%%rbx); movdqu %%xmm9, 64(%%rbx); movdqu %%xmm10, 80(%%rbx); movdqu %%xmm11, 96(%%rbx);"
        "movdqu %%xmm12, 112(%%rbx); movdqu %%xmm13, 128(%%rbx); movdqu %%xmm14, 144(%%rbx); movdqu %%xmm15, 160(%%rbx)"
        : "+x"(result), "+a"(f)
        : "b"(out)
        : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "memory", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
          "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
    return result;
}

int main(void)
{
    printf("%ld\n", integers(-1, -2, -3, -4, 250, 6, 7));
    printf("%g\n", floats(1, 2, 3, 4, 5, 6));
    printf("%g\n", mixed(1, 2, 3, 4, 5, 6));
    printf("%d %d %d\n", id_one(1, (one){10}, 2).a, id_two(1, (two){10, 20}, 2).b, id_three(1, (three){{10, 20, 30}}, 2).a[2]);
    printf("%g %d %g\n", id_single(1, (single){10}, 2).a, id_eight(1, (eight){10, 20}, 2).b, id_wrapped(1, (wrapped){10}, 2).a);
    sixteen passed = {10, 20};
    printf("%ld %ld %ld\n", id_sixteen(1, passed, 2).a, passed.a, id_sixteen(1, passed, 2).b);
    printf("%ld %d\n", id_large(1, (large){{10, 20, 30, 40, 50}}, 2).a[4], id_both(1, (both){.i = {10, 20}}, 2).i[1]);
    printf("%g %d %g\n", id_v4f(1, (v4f){1, 2, 3, 4}, 2)[3], id_v2i(1, (v2i){1, 2}, 2)[0], id_v4d(1, (v4d){1, 2, 3, 4}, 2)[2]);
    printf("%d %Lg %g\n", (int)(id_int128(1, (__int128)5 << 70, 2) >> 70), id_long_double(1, 2.5L, 3), (double)id_float128(1, 2.5f128, 3));
    float complex c = id_complex(1, 2 + 3.0if, 4);
    double complex d = id_double_complex(1, 2 + 3.0i, 4);
    printf("%g %g %g %g %d\n", crealf(c), cimagf(c), creal(d), cimag(d), id_bool(1, 1, 2));
    large l = on_stack(1, 2, 3, (large){{10, 0, 0, 0, 99}}, (sixteen){4, 5}, (eight){6, 7}, (single){8}, (v4f){9, 10, 11, 12}, 13);
    printf("%ld %ld\n", l.a[0], l.a[4]);
    printf("%ld\n", variadic(2, 1, 2.0, 3L, (eight){4, 5}, 6, 7.0, 8L, (eight){9, 10}));
    printf("%ld\n", variadic_many(1, 2, 3, 4, 3, 10L, 20L, 30L));
    printf("%ld\n", apply(microsoft, sysv, 7));
    double r = call_and_look(clobbers, 3);
    printf("%g:", r);
    for (int i = 0; i < 22; i++) printf(" %lx", kept[i]);
    printf("\n");
    MS double (*pointers[2])(double) = {clobbers, pointer_to_clobbers()};
    double sum = 0;
    for (int i = 0; i < 10; i++) sum += pointers[i & 1](i) * i;
    printf("%g %g\n", sum, ((double (MS *)(double))(void *)pointers[0])(1));
}
#endif
