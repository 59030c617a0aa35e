// Forms that the choice of instructions has a way of its own for: comparisons of floats as doubles,
// atomic stores of floats, filled blocks, ranges up to the end, halves of wide loads, lanes.
#include <stdio.h>
#include <string.h>

typedef float v4f __attribute__((vector_size(16)));
typedef double v2d __attribute__((vector_size(16)));
typedef int v4i __attribute__((vector_size(16)));
typedef long v2l __attribute__((vector_size(16)));
typedef unsigned long v2ul __attribute__((vector_size(16)));
#define N __attribute__((noipa)) static

N int below(float x) { return x < 1.5; }
N int above(float x) { return 0.25 <= (double)x; }
N int ordered(float x, float y) { return (double)x > (double)y; }
N int zero(float x) { return (double)x == 0.0; }

_Atomic double shared;
_Atomic float shared_single;

N void publish(double x) { shared = x; shared_single = x; }

N void fill4(char *p, int c) { memset(p, c, 4); }
N void fill6(char *p, int c) { memset(p, c, 6); }
N void fill12(char *p, char c) { memset(p, c, 12); }
N void fill33(char *p, int c) { memset(p, c, 33); }

N int kind(unsigned char c)
{
    switch (c) {
    case 0 ... 8: return 1;
    case 9: return 2;
    case 40 ... 60: return 3;
    case 100 ... 120: return 4;
    case 200 ... 255: return 5;
    }
    return 0;
}

N int kind_of_all(unsigned char c)
{
    switch (c) {
    case 0 ... 127: return 1;
    case 128 ... 255: return 2;
    }
    return 0;
}

N unsigned char low_byte(const unsigned __int128 *p) { return *p; }
N unsigned long low_short(const unsigned __int128 *p) { return (unsigned short)*p; }
N unsigned long middle_byte(const unsigned __int128 *p) { return (unsigned char)(*p >> 72); }
N void halve(unsigned *p) { *p >>= 1; }
N void eighth(long *p) { *p >>= 3; }
N void byte_down(unsigned char *p) { *p >>= 2; }
N void short_down(short *p) { *p >>= 4; }
N void twice(unsigned long *p) { *p <<= 1; }
N void small_flag(char *p, int n) { p[1] = p[0] != n; p[2] = p[0]; }
N char *back(char *p, long n) { return p - n; }
N char *twice_back(char *p, long n, long m) { return p - n - 4 * m; }

N v4i not_below(v4f a, v4f b) { return ~(a < b); }
N v4i not_above(v4f a, v4f b) { return ~(a > b); }
N v4i not_at_most(v4f a, v4f b) { return ~(a <= b); }
N v4i not_at_least(v4f a, v4f b) { return ~(a >= b); }
N v2l unordered(v2d a, v2d b) { return (a != a) | (b != b); }
N v2l both(v2d a, v2d b) { return (a == a) & (b == b); }

N v2l to_signed(v2d a) { return __builtin_convertvector(a, v2l); }
N v2ul to_unsigned(v2d a) { return __builtin_convertvector(a, v2ul); }
N v2d from_unsigned(v2ul a) { return __builtin_convertvector(a, v2d); }
N v2d from_signed(v2l a) { return __builtin_convertvector(a, v2d); }
N v2l swapped(v2l a) { return __builtin_shufflevector(a, a, 1, 0); }
N v2l crossed(v2l a, v2l b) { return __builtin_shufflevector(a, b, 1, 2); }
N v2l uppers(v2l a, v2l b) { return __builtin_shufflevector(a, b, 1, 3); }
N v2l doubled(v2l a, v2l b) { return __builtin_shufflevector(a, b, 3, 3); }
N v4i mixed(v4i a, v4i b) { return __builtin_shufflevector(a, b, 3, 1, 4, 6); }
N v4i part(v4i a, v4i b) { return __builtin_shufflevector(a, b, 3, -1, 1, 2) + __builtin_shufflevector(a, b, 7, 4, -1, 7); }

static void show(v4i v) { printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]); }
static void show_long(v2l v) { printf("%ld %ld\n", v[0], v[1]); }

int main(void)
{
    float numbers[] = {-1, 0, 0.25f, 1.5f, 2, __builtin_nanf("")};
    for (int i = 0; i < 6; i++)
        printf("%d%d%d%d ", below(numbers[i]), above(numbers[i]), ordered(numbers[i], 0.25f), zero(numbers[i]));
    publish(2.5);
    printf("\n%g %g\n", shared, shared_single);
    char text[40] = "";
    for (int c = 'a'; c < 'c'; c++) {
        fill33(text, c + 3), fill12(text + 2, c), fill6(text + 5, c + 1), fill4(text + 7, c + 2);
        puts(text);
    }
    for (int c = 0; c < 256; c++)
        putchar('0' + kind(c)), putchar('0' + kind_of_all(c));
    unsigned __int128 wide = (unsigned __int128)0x1122334455667788 << 64 | 0x99aabbccddeeff01;
    printf("\n%x %lx %lx\n", low_byte(&wide), low_short(&wide), middle_byte(&wide));
    printf("%d %d\n", (int)(back(text + 30, 7) - text), (int)(twice_back(text + 30, 3, 5) - text));
    unsigned number = 0x80000003;
    long negative = -100;
    unsigned char byte = 0xf0;
    short half = -0x7000;
    unsigned long large = 0xc000000000000001;
    halve(&number), eighth(&negative), byte_down(&byte), short_down(&half), twice(&large), small_flag(text, 'd');
    printf("%x %ld %x %d %lx %d %d\n", number, negative, byte, half, large, text[1], text[2]);
    v4f a = {1, 2, 3, __builtin_nanf("")}, b = {2, 2, 2, 2};
    show(not_below(a, b)), show(not_above(a, b)), show(not_at_most(a, b)), show(not_at_least(a, b));
    v2d d = {1, __builtin_nan("")}, e = {-3.75, 1e15};
    show_long(unordered(d, e)), show_long(both(d, e)), show_long(to_signed(e));
    v2ul u = to_unsigned((v2d){1e19, 3.5});
    printf("%lu %lu\n", u[0], u[1]);
    v2d f = from_unsigned(u), g = from_signed((v2l){-7, 1L << 60});
    printf("%g %g %g %g\n", f[0], f[1], g[0], g[1]);
    v2l x = {10, 11}, y = {20, 21};
    show_long(swapped(x)), show_long(crossed(x, y)), show_long(uppers(x, y)), show_long(doubled(x, y));
    v4i i = {1, 2, 3, 4}, j = {5, 6, 7, 8}, k = part(i, j);
    show(mixed(i, j));
    printf("%d %d\n", k[0], k[3]);
}
