/* A comparison that some of the ways to it decide, among others that do not, and that is used again after it. */
#include <stdio.h>

static int trace;

__attribute__((noinline)) static void use(int n) {
    trace = trace * 7 + n;
}

__attribute__((noinline)) static int choose(unsigned a, int b, int c, int d) {
    if (a == 0) {
        if (b == 7)
            use(8);
        else
            use(9);
        if (c >= d)
            return 1;
    } else {
        use(6);
    }
    if (a < 5)
        use(3);
    else
        use(4);
    use(5);
    if (a < 5) {
        use(10);
        return trace;
    }
    use(11);
    use(12);
    return 2;
}

int main(void) {
    for (unsigned a = 0; a < 12; a += 3)
        for (int b = 6; b < 8; b++)
            for (int c = 0; c < 2; c++) {
                trace = 0;
                int result = choose(a, b, c, 1);
                printf("%u %d %d: %d %d\n", a, b, c, result, trace);
            }
    return 0;
}
