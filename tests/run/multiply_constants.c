// Products by constants against products by variables, in all widths.
#include <stdio.h>

static volatile int hidden;

#define CHECK(type, factor)                                                    \
    do {                                                                       \
        type x = (type)values[i];                                              \
        type f = (type)(hidden + (factor));                                    \
        if ((type)(1u * x * (type)(factor)) != (type)(1u * x * f)) {                     \
            printf("%s %lld by %d\n", #type, (long long)x, (int)(factor));     \
        }                                                                      \
        count++;                                                               \
    } while (0)

#define ONE(factor)                                                            \
    CHECK(unsigned, factor);                                                   \
    CHECK(unsigned long, factor);                                              \
    CHECK(unsigned short, factor);                                             \
    CHECK(unsigned char, factor);                                              \
    CHECK(unsigned, -(factor))

#define TEN(n)                                                                 \
    ONE(n + 0); ONE(n + 1); ONE(n + 2); ONE(n + 3); ONE(n + 4);                \
    ONE(n + 5); ONE(n + 6); ONE(n + 7); ONE(n + 8); ONE(n + 9)

static unsigned long hash(const char *text) {
    unsigned by31 = 7;
    unsigned long by33 = 5381;
    for (; *text; text++) {
        by31 = by31 * 31 + (unsigned char)*text;
        by33 = (by33 << 5) + by33 + (unsigned char)*text;
    }
    return by31 ^ by33;
}

int main(void) {
    static const unsigned long values[] = {0, 1, 2, 77, 0x7fff, 0xffffffff, 0x123456789abcdef, ~0ul};
    int count = 0;
    for (int i = 0; i < 8; i++) {
        TEN(0); TEN(10); TEN(20); TEN(30); TEN(40); TEN(50);
        TEN(60); TEN(70); TEN(80); TEN(90); TEN(100); TEN(120);
        TEN(250); TEN(1020);
        ONE(4097); ONE(65535); ONE(65537); ONE(0x7fffffff); ONE(5 << 20);
    }
    printf("%d %lx\n", count, hash("a string to be hashed"));
    return 0;
}
