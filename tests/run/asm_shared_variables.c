// llvm: an input of inline assembly that is the register of another one has no counterpart
// interpreter: inline assembly
// A register variable that several operands of one statement are: read, read and written, written.
extern int printf(const char *, ...);

static unsigned long twice(unsigned long a)
{
    register unsigned long t asm("rdi") = a;
    unsigned long x, y;
    asm volatile("mov %3, %1\n\tlea (%3,%3), %2\n\tadd $1, %0" : "+r"(t), "=&r"(x), "=&r"(y) : "r"(t));
    return t * 10000 + x * 100 + y;
}

static unsigned long named(unsigned long a, unsigned long b)
{
    register unsigned long top asm("r11");
    top = a;
    asm("lea (%[top],%[step]), %[top]" : "+r"(top) : [step] "r"(b), [top] "r"(top));
    return top;
}

static unsigned long read_twice(unsigned long a)
{
    register unsigned long t asm("rsi") = a;
    unsigned long sum;
    asm("lea 1(%1,%2), %0" : "=r"(sum) : "r"(t), "r"(t));
    return sum;
}

int main(void)
{
    printf("%lu %lu %lu\n", twice(7), named(40, 2), read_twice(9));
    return 0;
}
