// interpreter: inline assembly
// References of inline asm into the other sections that it writes, between statements and functions.
#include <stdio.h>

extern int in_data[2], late;
extern const int first_of_table[], last_of_table[];

static int jump_to_other_section(int x)
{
    // Two sections, of which the second is meant.
    asm volatile("jmp 6f\n"
                 "5:\n"
                 "\t.pushsection .test.aaa,\"a\"\n\t.long 1\n\t.popsection\n"
                 "\t.pushsection .test.bbb,\"ax\"\n"
                 "6:\taddl $10, %0\n\tjmp 5b\n\t.popsection"
                 : "+r"(x));
    return x;
}

static int load_from_other_section(void)
{
    int a, b;
    asm volatile(".pushsection .test.one,\"a\"\n\t.long 7\n\t.popsection\n"
                 "\t.pushsection .test.two,\"a\"\n\t.long 8\n.Lnine:\t.long 9\n\t.popsection\n"
                 "\tmovl .Lnine(%%rip), %0\n\tmovl .Lnine-4(%%rip), %1"
                 : "=r"(a), "=r"(b));
    return a * 10 + b;
}

static int named_before(void)
{
    int a;
    asm volatile("movl .Lnine(%%rip), %0" : "=r"(a));
    return a;
}

static int out_of_line(int x)
{
    // The subsection follows the whole section: it is not what runs next.
    asm volatile("testl %0, %0\n\tje 1f\n"
                 "2:\n\t.subsection 1\n"
                 "1:\tmovl $77, %0\n\tjmp 2b\n\t.previous"
                 : "+r"(x));
    return x;
}

static int across_statements(int n)
{
    int sum = 0;
    asm volatile("jmp 31f\n30:" ::: "memory");
    asm volatile("addl $2, %0\n\tdecl %1\n\tjmp 31f" : "+m"(sum), "+m"(n)::"memory");
    asm volatile("31:\tcmpl $0, %0\n\tjg 30b" ::"m"(n) : "memory");
    return sum;
}

__attribute__((noinline)) static int relative(void)
{
    // A table of distances in a section of its own.
    int sum = 0;
    asm volatile("41:\n\t.pushsection .test.table,\"a\"\n\t.balign 4\nfirst_of_table:\n"
                 "\t.long 41b - ., 42f - .\n\t.byte 44f - 43f, 3\nlast_of_table:\n\t.popsection\n"
                 "\tmovl first_of_table+4(%%rip), %0\n\tsubl first_of_table(%%rip), %0\n"
                 "\taddl $4, %0\n42:\n"
                 "\t.pushsection .test.code,\"ax\"\n43:\tnop; nop; nop\n44:\n\t.popsection"
                 : "+r"(sum));
    return sum;
}

static int goto_table(int x)
{
    asm goto("leaq 51f(%%rip), %%rax\n\tjmp *(%%rax,%q0,8)\n"
             "\t.pushsection .test.jumps,\"aw\"\n\t.balign 8\n51:\t.quad %l[zero], %l[one]\n\t.popsection"
             :
             : "r"((long)x)
             : "rax"
             : zero, one);
zero:
    return 100;
one:
    return 101;
}

asm(".pushsection .data\n\t.balign 4\nin_data:\t.long 5, 6\n\t.popsection\n"
    "\t.pushsection .data\n\t.balign 8\n.Lpointer:\t.quad in_data+4\n\t.popsection");

int main(void)
{
    // main is in another text section when it is optimised, and in this one otherwise.
    int code;
    asm volatile("jmp 9f\n\t.pushsection .text\nlate:\tmovl $55, %%eax\n\tret\n\t.popsection\n9:\tcall late" : "=a"(code)::"cc");
    printf("%d %d %d %d\n", jump_to_other_section(1), load_from_other_section(), named_before(), code);
    printf("%d %d %d\n", out_of_line(0), out_of_line(3), across_statements(5));
    printf("%d %d\n", relative() > 0, (int)((const char *)last_of_table - (const char *)first_of_table));
    printf("%d %d %d\n", goto_table(0), goto_table(1), ((const unsigned char *)first_of_table)[8]);
    int *pointer;
    asm("movq .Lpointer(%%rip), %0" : "=r"(pointer));
    printf("%d %d\n", in_data[0], *pointer);
    return 0;
}
