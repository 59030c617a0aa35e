// flags: --verify
// llvm: reserved registers
// Global register variables that a nested function sets before it leaves by goto, and what was set
// before a longer jump comes back: the place that is reached finds them as they were set last.
#include <stdio.h>
register void *place __asm__("rbx");
register long number __asm__("r12");

__attribute__((noinline)) static long run(long n) {
    __label__ out;
    __attribute__((noinline, noclone)) void leave(long k) {
        number = k + 1;
        place = &&out;
        goto out;
    }
    number = n;
    if (number > 0) {
        leave(number * 3);
    }
    return -1;
out:
    return number * 2 + (place == &&out);
}

static void *buffer[5];
__attribute__((noinline)) static void jump(long n) {
    number += n;
    __builtin_longjmp(buffer, 1);
}
__attribute__((noinline)) static long come_back(long n) {
    number = n;
    if (__builtin_setjmp(buffer)) {
        return number;
    }
    number = n * 10;
    jump(7);
    return -1;
}

int main(void) {
    void *saved = place;
    long kept = number;
    long first = run(5), second = run(0), third = come_back(4);
    place = saved;
    number = kept;
    printf("%ld %ld %ld\n", first, second, third);
    return 0;
}
