// interpreter: inline assembly
/* Alignment in an asm statement whose text uses distances between its labels. */
#include <stdio.h>

static int aligned_place(int x)
{
    unsigned long place, length;
    asm("leaq 2f(%%rip), %0\n"
        "\tjmp 1f\n"
        "\t.p2align 5\n"
        "2:\t.skip 3f-4f+7, 0x90\n"
        "3:\n"
        "\t.skip 7, 0x90\n"
        "4:\t.p2align 4\n"
        "1:\tmovq $1b-2b, %1\n"
        "\t.byte 0x0f, 0x1f, 0x40, 4b-3b"
        : "=&r"(place), "=&r"(length));
    printf("%lu %lu\n", place % 32, length);
    return x + 1;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += aligned_place(i);
    printf("%d\n", sum);
}
