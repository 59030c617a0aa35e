/* Arithmetic on bit-fields wider than int is done in the width of the field. */
#include <stdio.h>

struct fields {
    unsigned long long u33 : 33, u40 : 40, u63 : 63, u64 : 64;
    long long s33 : 33, s40 : 40, s63 : 63;
    unsigned long long u12 : 12, u32 : 32;
};

struct fields f = {
    .u33 = 0x1ffffffffULL, .u40 = 0xffffffffffULL, .u63 = 1ULL << 62, .u64 = -1, .s33 = -1, .s40 = -3, .s63 = 5,
    .u12 = 0xfff, .u32 = 0xffffffff,
};

int main(void)
{
    printf("%#llx %#llx\n", (unsigned long long)(f.u33 + 1), (unsigned long long)(f.u40 << 4));
    printf("%#llx %#llx\n", (unsigned long long)~f.u40, (unsigned long long)-f.u33);
    printf("%#llx %#llx\n", (unsigned long long)(f.u40 * f.u40), (unsigned long long)(f.u63 + f.u63));
    printf("%d %d %d %d\n", f.u33 == -1, f.u40 == -1LL, f.u40 + 1 == 0, f.u64 + 1 == 0);
    printf("%lld %lld %lld\n", (long long)(f.s33 - 1), (long long)(f.s40 * 7), (long long)(f.s63 >> 1));
    printf("%d %d\n", f.s33 < 0u, f.s40 < f.u40);
    printf("%#llx %#llx\n", (unsigned long long)(f.u33 + 1L), (unsigned long long)(f.u33 + 1ULL));
    printf("%zu %zu %zu\n", sizeof(f.u33 + 1), sizeof(+f.u12), sizeof(~f.u64));
    printf("%#llx\n", (unsigned long long)(f.u40 + f.u33));
    f.u40 += 2;
    printf("%#llx %#llx\n", (unsigned long long)f.u40, (unsigned long long)(f.u40 - 2));
    printf("%#llx\n", (unsigned long long)(f.u33++ + 1));
    printf("%#llx\n", (unsigned long long)((f.u33 = -1) + 1));
    printf("%#llx %#llx\n", (unsigned long long)(1 ? f.u40 : 0), (unsigned long long)(f.u40 ? f.u33 << 30 : f.s40));
    printf("%llx %llx\n", f.u40, f.u33);
    /* A cast gives the value the declared type: no promotion to int afterwards. */
    struct { unsigned u : 7; int i : 7; } g = { .u = 61, .i = -13 };
    printf("%d %d\n", g.i % g.u == -13 % 61, g.i % (unsigned)g.u == -13 % 61u);
    printf("%d %d %d\n", -g.u < 0, -(unsigned)g.u < 0, ((unsigned long long)f.u33 << 31) > 1ULL << 33);
    switch (f.u40 + 0xfffffffffeULL) { case -1ULL: puts("wrong"); break; case 0xffffffffffULL: puts("own width"); }
    return (int)(f.s33 / 2) + (f.u40 > 0x7fffffffffLL ? 1 : 0);
}
