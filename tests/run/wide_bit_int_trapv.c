// like-gcc: gcc 12 has no _BitInt
// flags: -std=gnu2x -ftrapv
// interpreter: signals
// Overflow of wide bit-precise integers aborts.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

typedef _BitInt(200) W;
static sigjmp_buf back;
static volatile W max = (W)(((unsigned _BitInt(200))1 << 199) - 1);

static void caught(int signal) { siglongjmp(back, signal); }

int main(void)
{
    signal(SIGABRT, caught);
    volatile W r;
    for (volatile int step = 0; step < 6; step++) {
        if (sigsetjmp(back, 1)) {
            printf("%d aborts\n", step);
            continue;
        }
        switch (step) {
        case 0: r = max + 1; break;
        case 1: r = max - 1; break;
        case 2: r = -max - 1; break;
        case 3: r = -max - 2; break;
        case 4: r = max * max; break;
        case 5: r = -max, r--, r = -r; break;
        }
        printf("%d is fine\n", step);
    }
}
