// interpreter: frame addresses
// llvm: the builtin has no counterpart
// Registers that calls preserve are where somebody who walks through the stack finds them.
#include <stdio.h>

__attribute__((noipa)) static int found(unsigned long *from, unsigned long *to, unsigned long inverse) {
    int n = 0;
    while (from < to) n += ~*from++ == inverse;
    return n;
}

__attribute__((noipa)) static int scan(unsigned long *top, unsigned long inverse) {
    __builtin_unwind_init();
    unsigned long bottom = 1;
    __asm__ volatile("" : : "r"(&bottom) : "memory");
    return found(&bottom, top, inverse) + (int)bottom - 1;
}

__attribute__((noipa)) static unsigned long keep(unsigned long *top, unsigned long inverse, int *n) {
    unsigned long secret = ~inverse;
    __asm__("" : "+r"(secret));
    *n = scan(top, inverse);
    return secret;
}

int main(void) {
    unsigned long top = 0, secret;
    int n;
    secret = keep(&top, 0xfedcba9876543210, &n);
    printf("%d %lx\n", n > 0, secret);
}
