// like-gcc: gcc 12 calls the standard c2x
// flags: -std=c23
// Members of `constexpr` structures as constants, `{}` for arrays of variable length, and `<stdbit.h>` on unsigned types of any width.
#include <stdbit.h>
#include <stdio.h>

constexpr struct { int x; float y; struct { unsigned char z; int bits : 5; } inner; } point = { 3, 2.5f, { 4, -6 } };
int sized[point.x];
enum { LIMIT = point.inner.z, NEGATIVE = point.inner.bits };
static_assert(point.x == 3 && (int)point.y == 2 && (constexpr struct { int a, b; }){ 7, 8 }.b == 8);
struct fields { int f : point.x; };

static int sum(int n) {
    int zeros[n] = {};
    int square[n][n] = {};
    struct { long a, b; } pairs[n + 1] = {};
    zeros[n - 1] += 2;
    for (int i = 0; i < n; i++) square[i][0]++;
    int total = (int)(pairs[n].a + pairs[0].b);
    for (int i = 0; i < n; i++) {
        total += zeros[i];
        for (int j = 0; j < n; j++) total += square[i][j];
    }
    return total;
}

static void dirty(void) {
    volatile unsigned char bytes[4096];
    for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = 0xa5;
}

#define SHOW(v) \
    printf("%u %u %u %u %u %u %d %llu %llu\n", stdc_leading_zeros(v), stdc_leading_ones(v), stdc_trailing_zeros(v), stdc_first_trailing_zero(v), \
           stdc_count_ones(v), stdc_bit_width(v), stdc_has_single_bit(v), (unsigned long long)stdc_bit_floor(v), (unsigned long long)stdc_bit_ceil(v))

int main(void) {
    switch (3) {
    case point.x: printf("%zu %d %d\n", sizeof sized / sizeof sized[0], LIMIT, NEGATIVE);
    }
    static int from_member = point.inner.z;
    constexpr struct { double d; } local = { 1.5 };
    printf("%d %d\n", from_member, (int)(local.d * 2));
    for (int i = 1; i < 5; i++) {
        dirty();
        printf("%d ", sum(i));
    }
    puts("");
    SHOW((unsigned char)5);
    SHOW((unsigned _BitInt(8))0xf0);
    SHOW((unsigned _BitInt(13))0x1003);
    SHOW((unsigned _BitInt(64))1);
    SHOW((unsigned _BitInt(100))0x30000000000);
    SHOW((unsigned __int128)0);
    SHOW(~(unsigned __int128)0 >> 80);
    printf("%d\n", _Generic(stdc_bit_floor((unsigned char)1), unsigned char: 1, default: 0));
    printf("\x{41}\o{102}\u{e9}%d\n", L'\x{1f600}' == 0x1f600);
    printf("%ld\n", __STDC_VERSION__);
}
