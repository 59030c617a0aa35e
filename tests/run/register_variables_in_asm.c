// llvm: reserved registers
// interpreter: inline assembly
/* Global register variables as operands of asm, and beside asm that does not name them. */
#include <stdio.h>

struct op {
    int kind, a;
    long b;
};

register const struct op *ip asm("r15");
register long sum asm("rbx");

static __attribute__((noinline)) long assembly(long n)
{
    const struct op *before = ip;
    asm volatile("add $16, %0" : "+r"(ip) : : "cc");
    long moved = ip - before;
    asm volatile("mov %1, %0" : "=r"(n) : "r"(ip), "0"(n) : "cc");
    asm goto("cmpl $3, %0; jg %l1" : : "m"(*(int *)before) : "cc" : far);
    moved += 10 * (n == (long)ip);
    ip = before;
    return moved + ip->b;
far:
    ip = before;
    return -moved - ip->b;
}


/* Lost: what was read before is in another register. */
static __attribute__((noinline)) long clobbered(void)
{
    long before = sum;
    asm volatile("xor %%ebx, %%ebx" : : : "rbx", "cc");
    sum = 5;
    return before * 100 + sum;
}

/* In another operand's place, and in memory that it points to. */
static __attribute__((noinline)) long pointed(const struct op *at)
{
    long b;
    ip = at + 1;
    asm("mov 8(%1), %0" : "=r"(b) : "r"(ip), "m"(*ip));
    asm("add %1, %0" : "+r"(sum) : "m"(ip->b) : "cc");
    return b + sum;
}

int main(void)
{
    const struct op *saved_ip = ip;
    long saved_sum = sum, results[4];
    static const struct op code[] = {{0, 1, 5}, {1, 0, 11}, {7, 2, 7}};
    ip = code;
    results[0] = assembly(1);
    ip = code + 2;
    results[1] = assembly(1);
    sum = 7;
    results[2] = clobbered();
    results[3] = pointed(code);
    ip = saved_ip, sum = saved_sum;
    for (int i = 0; i < 4; i++)
        printf("%ld\n", results[i]);
    return 0;
}
