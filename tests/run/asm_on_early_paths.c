// interpreter: inline assembly
// lli: inline assembly of gcc's dialect
/* Assembly on paths that leave a function early, before its frame is there: labels, registers and memory in place. */
#include <stdint.h>
#include <stdio.h>

static __attribute__((noinline)) long slow(long *p, long a, long b)
{
    return *p * 2 + a - b;
}

static __attribute__((noinline)) long increment(long *p, long a, long b)
{
    asm goto("addq $1, %0; jo %l1" : : "m"(*p) : "cc", "memory" : over);
    return *p;
over:
    *p = a;
    long first = slow(p, a, b);
    return first + slow(p, b, a) + a;
}

/* The jump leads out of the fast path, and the fast path goes on. */
static __attribute__((noinline)) int sign(long *p, long a)
{
    asm goto("testq %0, %0; js %l1" : : "r"(*p) : "cc" : negative);
    if (a == 0)
        return 0;
    asm("addq %1, %0" : "+m"(*p) : "r"(a) : "cc");
    return 1;
negative:
    a += slow(p, a, 1);
    return (int)(a + slow(p, a, 2));
}

/* A value that lives across the calls is in another register on the path of the assembly. */
static __attribute__((noinline)) long kept(long a, long b, long *p)
{
    long out;
    asm("lea (%1,%2), %0" : "=r"(out) : "r"(a), "r"(b));
    if (out < 100)
        return out + *p;
    long x = slow(p, a, b), y = slow(p, b, a);
    return x * y + a - b + out;
}

/* A call in the text finds the stack as at other calls (gcc does not see to it). */
static long found;
__attribute__((used)) void note_stack(void)
{
    found += (intptr_t)__builtin_frame_address(0) % 16 == 0;
}
static __attribute__((noinline)) long calls(long *p, long a)
{
    if (a < 0)
        return a;
    asm volatile("call note_stack" : : : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
    return a ? slow(p, a, 1) : 5;
}

int main(void)
{
    long n = 5, most = INT64_MAX, minus = -3, r[10];
    r[0] = increment(&n, 1, 2);
    r[1] = increment(&most, 7, 2);
    r[2] = sign(&n, 0);
    r[3] = sign(&n, 4);
    r[4] = sign(&minus, 4);
    r[5] = kept(1, 2, &n);
    r[6] = kept(70, 80, &n);
    r[7] = calls(&n, -1);
    r[8] = calls(&n, 0);
    r[9] = calls(&n, 3);
    for (int i = 0; i < 10; i++)
        printf("%ld ", r[i]);
    printf("%ld %ld %ld\n", n, most, minus);
    printf("%ld\n", found);
    return 0;
}
