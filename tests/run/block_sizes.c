// flags: -Os
// Blocks of constant and of variable size, filled and copied while other values live in registers.
#include <stdio.h>
#include <string.h>

static unsigned char from[600], to[600];

static unsigned sum(const unsigned char *p, unsigned n) {
    unsigned s = 0;
    while (n--) s = s * 31 + *p++;
    return s;
}

__attribute__((noipa)) static long copies(long a, long b, long c, long d, unsigned long n) {
    memcpy(to + a, from + b, 33);
    memcpy(to + b, from + c, 100);
    memcpy(to + c, from + d, 256);
    memcpy(to + 300, from + 20, n);
    return a * 1000 + b * 100 + c * 10 + d;
}

__attribute__((noipa)) static long fills(long a, int byte, long c, unsigned long n) {
    memset(to + a, byte, 40);
    memset(to + 100, byte + 1, 61);
    memset(to + c, 0, 128);
    memset(to + 400, 0xa5, n);
    memset(to + 500, byte, n);
    return a * 10 + c + byte;
}

struct big { int head; char text[200]; long tail; };

__attribute__((noipa)) static struct big changed(struct big b, int by) {
    struct big copy = b;
    copy.head += by;
    copy.tail -= by;
    return copy;
}

int main(void) {
    for (int i = 0; i < 600; i++) from[i] = (unsigned char)(i * 7 + 3);
    for (unsigned long n = 0; n < 90; n += 29) {
        long x = copies(1, 2, 3, 4, n);
        unsigned first = sum(to, 600);
        long y = fills((long)n, (int)n * 3, 270, n);
        printf("%ld %x %ld %x\n", x, first, y, sum(to, 600));
    }
    struct big b = {5, "text", 77};
    b = changed(changed(b, 3), 4);
    printf("%d %s %ld\n", b.head, b.text, b.tail);
    return 0;
}
