// llvm: reserved registers
/* Global register variables as operands: what was read or written stays there until something sets it. */
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

struct op {
    int kind, a;
    long b;
};
struct frame {
    long slots[8];
    const struct op *ip;
    struct frame *above;
};

register const struct op *ip asm("r15");
register struct frame *fp asm("r14");
register unsigned char *text asm("r13");
register unsigned flags asm("r12");

static int calls;
static __attribute__((noinline)) void other(long x)
{
    calls++;
    if (x & 1)
        ip++;
    if (x & 2)
        fp = fp->above ? fp->above : fp;
    flags = flags * 3 + (unsigned)x;
}

/* Reads before and after a call, and what was read before it after it. */
static __attribute__((noinline)) long around_call(void)
{
    const struct op *before = ip;
    struct frame *frame = fp;
    long sum = frame->slots[ip->a] + before->b;
    other(before->b);
    sum += ip - before + (fp == frame) * 100;
    return sum + before->b + fp->slots[1] + frame->slots[2];
}

/* What is assigned is read again, through its old and its new name. */
static __attribute__((noinline)) long assigned(struct frame *top)
{
    struct frame *old = fp;
    fp = top;
    top->slots[3]++;
    const struct op *next = ip + 1;
    ip = next;
    long sum = next->b + ip->b + fp->slots[3] + old->slots[0];
    fp = old;
    ip = next - 1;
    return sum + (ip == next - 1) + (fp == old) * 2;
}

/* Two exchange their contents. */
static __attribute__((noinline)) void exchange(struct frame **with)
{
    struct frame *was = fp;
    fp = *with;
    *with = was;
}

/* Counters that are variables, in loops with and without calls. */
static __attribute__((noinline)) int scan(void)
{
    int count = 0;
    while (*text)
        if (*text++ == 'a')
            count++;
    text -= 3;
    for (; *text; text++)
        other(4), count += *text;
    return count;
}

/* Only half of the register. */
static __attribute__((noinline)) unsigned long narrow(unsigned x)
{
    flags += x;
    unsigned long wide = flags;
    flags >>= 3;
    if (flags & 1)
        flags = ~flags;
    return wide + flags + (unsigned char)flags;
}

/* Merged paths, of which one sets it. */
static __attribute__((noinline)) long merged(int set)
{
    const struct op *before = ip;
    if (set == 1)
        ip = ip + 2;
    else if (set == 2)
        other(1);
    return (ip - before) * 10 + before->b;
}

static jmp_buf env;
static __attribute__((noinline)) void leap(void)
{
    longjmp(env, 1);
}
static __attribute__((noinline)) int jumps(void)
{
    volatile int times = 0;
    if (setjmp(env) == 0 || times < 2) {
        times++;
        leap();
    }
    return times + (int)ip->b;
}

/* An interpreter with computed jumps. */
static __attribute__((noinline)) long run(const struct op *code)
{
    static void *const labels[] = {&&add, &&loop, &&call, &&out};
    ip = code;
    goto *labels[ip->kind];
add:
    fp->slots[ip->a] += ip->b;
    ip++;
    goto *labels[ip->kind];
loop:
    if (--fp->slots[ip->a] > 0)
        ip += ip->b;
    else
        ip++;
    goto *labels[ip->kind];
call:
    other(ip->b);
    ip++;
    goto *labels[ip->kind];
out:
    return fp->slots[ip->a];
}

int main(void)
{
    const struct op *saved_ip = ip;
    struct frame *saved_fp = fp;
    unsigned char *saved_text = text;
    unsigned saved_flags = flags;
    static const struct op code[] = {{0, 1, 5}, {1, 0, -1}, {0, 2, 7}, {2, 0, 4}, {3, 1, 0}, {0, 0, 9}};
    struct frame bottom = {{4, 2, 3, 4, 5, 6, 7, 8}, code, 0}, top = {{8, 1, 2, 3}, code + 1, &bottom};
    static unsigned char words[] = "banana and an atlas";
    long results[11];

    fp = &top, ip = code, text = words, flags = 1;
    results[0] = around_call();
    fp = &top, ip = code;
    results[1] = assigned(&bottom);
    struct frame *with = &bottom;
    exchange(&with);
    results[2] = (fp == &bottom) + (with == &top) * 2;
    results[3] = scan();
    results[4] = (long)narrow(12345);
    results[5] = merged(0) + merged(1) * 100;
    ip = code;
    results[6] = merged(2);
    ip = code;
    ip = code + 2;
    results[7] = jumps();
    fp = &top;
    results[8] = run(code);
    results[9] = fp->slots[2] + flags;
    results[10] = ip - code;
    ip = saved_ip, fp = saved_fp, text = saved_text, flags = saved_flags;
    for (int i = 0; i < 11; i++)
        printf("%ld\n", results[i]);
    printf("%d\n", calls);
    return 0;
}
