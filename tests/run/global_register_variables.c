// interpreter: inline assembly
// llvm: reserved registers
/* Global register variables: an interpreter's state across calls, in asm, through callbacks and nested loops. */
#include <alloca.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

register const unsigned char *pc asm("r12");
register long *sp __asm__("%r13");
register unsigned int counter asm("r14");
register signed char small asm("r15");
register int base asm("rbx");

enum { PUSH, ADD, MUL, JNZ, DUP, DEC, HALT };

static void push(long v)
{
    *sp++ = v;
    counter++;
}

static long pop(void)
{
    return *--sp;
}

static __attribute__((noinline)) long run(const unsigned char *code, long *stack)
{
    pc = code;
    sp = stack;
    for (;;) {
        switch (*pc++) {
        case PUSH: push((signed char)*pc++); break;
        case ADD: { long b = pop(); push(pop() + b); break; }
        case MUL: { long b = pop(); push(pop() * b); break; }
        case DUP: { long b = pop(); push(b); push(b); break; }
        case DEC: sp[-1]--; break;
        case JNZ: if (sp[-1]) pc += (signed char)*pc; else pc++; break;
        case HALT: return pop();
        }
    }
}

/* Many values alive at once: none may be where the variables are. */
static __attribute__((noinline)) long pressure(long a, long b, long c, long d, long e, long f)
{
    long g = a * b, h = c * d, i = e * f, j = a + f, k = b + e, l = c - d, m = g ^ h, n = h ^ i;
    for (int r = 0; r < 10; r++) {
        a += b * r, b ^= c + g, c += d ^ h, d -= e + i, e += f ^ j, f -= g + k;
        g += h ^ l, h -= i + m, i ^= j + n, j += k * a, k ^= l, l += m - n, m ^= n, n += a;
        printf("%d", r);
        counter += r;
    }
    printf("\n");
    return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l ^ m ^ n;
}

static jmp_buf env;
static __attribute__((noinline)) void jump(void)
{
    counter = 77;
    longjmp(env, 1);
}

static __attribute__((noinline)) int variable_length(int n)
{
    char *p = alloca(n);
    char buffer[n + 1];
    memset(p, 1, n);
    memset(buffer, 2, n);
    return p[n - 1] + buffer[0] + base;
}

int main(void)
{
    static const unsigned char code[] = {PUSH, 5, PUSH, 10, DEC, JNZ, (unsigned char)-2, ADD, DUP, MUL, HALT};
    long stack[64];
    counter = 0;
    small = 0;
    base = 1000;
    printf("%ld\n", run(code, stack));
    printf("%u\n", counter);
    printf("%ld\n", pressure(1, 2, 3, 4, 5, 6));
    printf("%u %d %d\n", counter, small, base);
    small = 127;
    small++;
    printf("%d\n", small);
    small = 300;
    printf("%d\n", small++);
    printf("%d\n", ++small);
    counter -= 1000000;
    printf("%d\n", counter > 1000000);
    base = 5;
    base <<= 3;
    base |= 2;
    printf("%d %d\n", base, variable_length(100));
    unsigned int out;
    __asm__("leal 1(%1), %0" : "=r"(out) : "r"(base));
    __asm__("addl $7, %0" : "+r"(base));
    printf("%u %d\n", out, base);
    __asm__ volatile("movl $99, %%r14d" : : : "memory");
    printf("%u\n", counter);
    if (!setjmp(env))
        jump();
    printf("%u\n", counter);
    return 0;
}
