// A loop by goto inside another that counts a member down: the phi of the inner loop depends on
// itself, which the search for sums of the outer one has to end at.
#include <stdio.h>

struct s { unsigned f[2]; int g; } rec;
static unsigned long hash = 17;
static void mix(unsigned long v) { hash = (hash ^ v) * 0x100000001b3UL; hash ^= hash >> 29; }

__attribute__((noinline)) static void count(void) {
    for (long i = 0; i < 3; i++) {
        int fuel = 4;
        if (rec.f[1]) goto inside;
    again:
        mix(0);
    inside:
        rec.f[1] -= 1;
        if (--fuel > 0) goto again;
    }
}

int main(void) {
    count();
    printf("%lu %u\n", hash, rec.f[1]);
    rec.f[1] = 5;
    count();
    printf("%lu %u\n", hash, rec.f[1]);
    return 0;
}
