// interpreter: inline assembly
// llvm: its assembler chooses other encodings
/* Code of 16 and 32 bits in asm: a trampoline's bytes, which nothing runs. */
#include <stdio.h>

extern const unsigned char real_start[], real_end[], protected_start[], protected_end[];

asm(".pushsection .rodata\n"
    ".code16\n"
    "real_start:\n"
    "\tcli\n"
    "\tmov %cs, %ax\n"
    "\tmov %ax, %ds\n"
    "\tlgdtl 16(%bx)\n"
    "\tmovl $1, %eax\n"
    "\tmovl %eax, %cr0\n"
    "\tjne 1f\n"
    "\tdata32 jmp 2f\n"
    "\t.skip 130, 0x90\n"
    "1:\tljmpl $0x10, $0x1234\n"
    "2:\tpushl $3\n"
    "\tretl\n"
    "real_end:\n"
    ".code64\n"
    ".popsection");

static int far_away(int x)
{
    int r;
    asm("jmp 5f\n"
        ".code32\n"
        "protected_start:\n"
        "\tpushl %%ebx\n"
        "\tmovl 8(%%esp,%%ecx,4), %%eax\n"
        "\tinc %%eax\n"
        "\tcall 4f\n"
        "4:\tpopl %%ebx\n"
        "\tlret\n"
        ".code16gcc\n"
        "\tpush %%ax\n"
        "\tret\n"
        "\tjmp 4b\n"
        "protected_end:\n"
        ".code64\n"
        "5:\tleal 1(%1), %0"
        : "=r"(r)
        : "r"(x));
    return r;
}

static void print(const unsigned char *start, const unsigned char *end)
{
    for (const unsigned char *p = start; p < end; p++)
        printf("%02x%s", *p, (p - start) % 16 == 15 ? "\n" : " ");
    printf("\n");
}

int main(void)
{
    print(real_start, real_end);
    print(protected_start, protected_end);
    printf("%d\n", far_away(41));
}
