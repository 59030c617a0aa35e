// interpreter: inline assembly
// lli: inline assembly
// Early outputs beside inputs that have a register each: the outputs take the others.
#include <stdio.h>

static long all(long a, long b, long c, long d, long e, long g, long h, long i)
{
    long out, m;
    __asm__ volatile("movq %%rax, %1\n\taddq %%rbx, %1\n\taddq %%rcx, %1\n\taddq %%rdx, %1\n\t"
                     "addq %%rsi, %1\n\taddq %%rdi, %1\n\tmovq %2, %0\n\taddq %3, %0"
                     : "=m"(m), "=&r"(out)
                     : "r"(h), "r"(i), "a"(a), "b"(b), "c"(c), "d"(d), "S"(e), "D"(g)
                     : "cc");
    return out * 1000 + m;
}

static long one(long a)
{
    long out;
    __asm__("leaq 1(%%rax), %0\n\taddq %%rax, %0" : "=&r"(out) : "a"(a));
    return out;
}

int main(void)
{
    printf("%ld %ld\n", all(1, 2, 3, 4, 5, 6, 7, 8), one(20));
    return 0;
}
