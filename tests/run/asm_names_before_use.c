// interpreter: inline assembly
// llvm: inline assembly of several sections
// Names that asm statements define are declared and used in C by functions that follow.
#include <stdio.h>

extern int table_start[], table_end[];
extern int table_weak;

__attribute__((noinline)) void table(void)
{
    __asm__ volatile(".pushsection .data.table,\"aw\"\n\t.balign 4\n"
                     "table_start:\t.long 1, 2, 3\n"
                     "table_end:\n\t.popsection");
}

__attribute__((noinline)) static void weak(void)
{
    __asm__ volatile(".pushsection .data.table,\"aw\"\n\t.balign 4\n\t.weak table_weak\n"
                     "table_weak:\t.long 7\n\t.popsection");
}

int main(void)
{
    table();
    weak();
    printf("%d %d\n", (int)(table_end - table_start), table_start[1]);
    printf("%d\n", table_weak);
}
