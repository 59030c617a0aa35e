// like-gcc: gcc 12 has no _BitInt
// flags: -std=gnu2x
// Bit-precise integers wider than 128 bits: operators, conversions, constants, members, parameters.
#include <stdbool.h>
#include <stdio.h>

typedef _BitInt(256) I;
typedef unsigned _BitInt(300) U;

static void show(const char *name, U u)
{
    printf("%s ", name);
    for (int i = 4; i >= 0; i--)
        printf("%016lx", (unsigned long)(u >> 64 * i));
    puts("");
}

I mixed(I a, I b) { return a * b + (a << 3) - b / 7; }

constexpr I K = 123456789012345678901234567890123456789012345678901234567890wb;
U global = 0xffff'ffffffff'ffffffff'ffffffff'ffffffff'ffffffff'ffffffffuwb;

struct fields {
    int a;
    _BitInt(200) x : 150;
    unsigned _BitInt(200) y : 37;
    int b;
};

enum { SMALL = (int)(K % 1000wb) };
static_assert(SMALL == 890);
static_assert(K > 5 && -K < 0 && !(K == K + 1) && (bool)K);
static_assert(sizeof(I) == 32 && sizeof(U) == 40 && _Alignof(U) == 8);
static_assert(_Generic(K, I: 1, default: 0));
static_assert(_Generic(0x1'00000000'00000000'00000000'00000000wb, _BitInt(130): 1, default: 0));
static_assert(_Generic(340282366920938463463374607431768211456uwb, unsigned _BitInt(129): 1, default: 0));
static_assert(_Generic((_BitInt(140))1 + (unsigned _BitInt(139))1, _BitInt(140): 1, default: 0));
static_assert(_Generic((_BitInt(140))1 + (unsigned _BitInt(140))1, unsigned _BitInt(140): 1, default: 0));
static_assert(_Generic((_BitInt(140))1 + (__int128)1, _BitInt(140): 1, default: 0));

static const char *kind(I value)
{
    switch (value) {
    case 5wb: return "five";
    case -1wb: return "minus one";
    case 100 ... 200: return "hundreds";
    case 0x7fffffffffffffffffffffffffffffffwb: return "largest of 128 bits";
    default: return "other";
    }
}

int main(void)
{
    I a = K, b = -987654321wb;
    show("mixed", (U)mixed(a, b));
    show("quotient", (U)(a / b));
    show("remainder", (U)(a % b));
    show("global", global);
    printf("%d %d %d %d\n", a < b, a > b, a == K, a != K);
    show("post", (U)a++), show("pre", (U)--a);
    a += 5, a <<= 13, show("a", (U)a), a >>= 13, show("a", (U)a);
    show("neg", (U)-a), show("not", (U)~a), show("and", (U)(a & b)), show("xor", (U)(a ^ b));
    printf("%.17g %.9g %.20Lg %d\n", (double)a, (double)(float)(a >> 100), (long double)a, (_Float16)-b == 1 / 0.0);
    show("double", (U)(I)1.5e60), show("extended", (U)(I)-3.7e20L), show("float", (U)(I)-7.75f);
    show("quad", (U)(I)0x1.23456789abcdef0123456789abcp200f128);
    printf("%d\n", (__float128)(I)0x1.23456789abcdef0123456789abcp200f128 == 0x1.23456789abcdef0123456789abcp200f128);

    struct fields s = {1, -5wb, 100, 2};
    s.x *= 12345678901234567890123456789wb;
    show("x", (U)s.x);
    printf("%d %d %d\n", s.a, (int)s.y, s.b);
    s.y = (unsigned _BitInt(200))~0 << 30, s.x = 0;
    printf("%lx %d %d\n", (long)s.y, s.a, s.b);

    printf("%s %s %s %s %s\n", kind(5), kind(-1), kind(150), kind(((I)1 << 127) - 1), kind(((I)1 << 128) + 5));
    int many[(int)(K % 17wb) + 1];
    for (int i = 0; i < (int)(sizeof many / sizeof *many); i++)
        many[i] = i;
    printf("%zu %d %d\n", sizeof many, many[(I)1], *((U)1 + many));
    printf("%d %d %d\n", a ? 1 : 2, !a, a && b);

    I n;
    printf("%d ", __builtin_add_overflow(a, b, &n)), show("sum", (U)n);
    unsigned _BitInt(256) m;
    printf("%d ", __builtin_mul_overflow((unsigned _BitInt(128))a, (unsigned _BitInt(128))a, &m)), show("product", m);
    unsigned char small;
    bool lost = __builtin_sub_overflow(a, a - 3, &small);
    printf("%d %d ", lost, small);
    printf("%d\n", __builtin_sub_overflow(a, a + 3, &small));
}
