#include <stdio.h>
#include <stdint.h>
struct stamp { uint64_t when; };
static uint32_t seconds(const struct stamp *s) {
#ifdef GOOD
    return (uint32_t)(s->when >> 32);
#else
    return ((const uint32_t *)s)[1]; // BUG: aliasing
#endif
}
int main(void) {
    struct stamp s;
    s.when = 5ull << 32 | 99;
    printf("%u\n", seconds(&s));
    return 0;
}
