// interpreter: inline assembly
// llvm: inline assembly of several sections
// The first of several asm statements defines a name that the others ask for (`.ifndef`), as the
// probes of systemtap's sys/sdt.h do.
#include <stdio.h>

extern long once_base __attribute__((visibility("hidden")));
extern long __start_once[], __stop_once[];
extern long *__start_refs[], *__stop_refs[];
extern long __start_plain[], __stop_plain[];

#define PROBE(number)                                                                                                  \
    __asm__ volatile(".pushsection refs,\"aw\",@progbits\n\t.quad once_base\n\t.popsection\n\t"                        \
                     ".ifndef once_base\n\t"                                                                           \
                     ".pushsection once,\"aw\",@progbits\n\t"                                                          \
                     ".weak once_base\n\t.hidden once_base\n"                                                          \
                     "once_base:\t.quad 40\n\t.quad once_base\n\t.size once_base, 16\n\t.popsection\n\t"               \
                     ".endif\n\t"                                                                                      \
                     ".pushsection plain,\"aw\",@progbits\n\t.quad %c0\n\t.popsection" ::"i"(number))

__attribute__((noinline)) static int first(int a)
{
    PROBE(1);
    return a + 1;
}

__attribute__((noinline)) static int second(int a)
{
    PROBE(2);
    if (a > 1)
        PROBE(3);
    return a * 2;
}

int main(void)
{
    PROBE(4);
    printf("%d %d\n", first(1), second(2));
    printf("%d\n", (int)(__stop_once - __start_once));
    int same = 0;
    for (long **p = __start_refs; p < __stop_refs; p++)
        same += *p == &once_base && **p == 40;
    printf("%d of %d\n", same, (int)(__stop_refs - __start_refs));
    long sum = 0;
    for (long *p = __start_plain; p < __stop_plain; p++)
        sum += *p;
    printf("%ld %d\n", sum, __start_once[1] == (long)&once_base);
}
