// interpreter: inline assembly
// gcc's builtins for the flags register, also in functions that keep variables in the red zone.
#include <stdio.h>
#include <x86gprintrin.h>

// Programs may change the flag ID, which means nothing.
#define ID (1ull << 21)

static int leaf(volatile int *where) {
    volatile int kept[4] = {1, 2, 3, 4};
    __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() ^ ID);
    *where += kept[0] + kept[1] * 10 + kept[2] * 100 + kept[3] * 1000;
    return (__builtin_ia32_readeflags_u64() & ID) != 0;
}

int main(void) {
    volatile int sum = 0;
    __writeeflags(__readeflags() & ~ID);
    for (int i = 0; i < 3; i++) {
        int set = leaf(&sum);
        printf("%d %d\n", set, sum);
    }
    printf("%d\n", (int)(__readeflags() & 2));
    return 0;
}
