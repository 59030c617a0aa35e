// Two floats in one SSE register: structures passed and returned, complex numbers, halves taken out and put together, with NaNs and zeros.
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct { float x, y; } Pair;
typedef struct { float x, y, z; } Triple;
typedef struct { float x, y, z, w; } Quad;
typedef struct { float x; int n; } Mixed;

__attribute__((noinline)) static Pair swap(Pair p) { return (Pair){p.y, p.x}; }
__attribute__((noinline)) static Pair same(Pair p) { return (Pair){p.x, p.x}; }
__attribute__((noinline)) static Pair upper(Pair p) { return (Pair){p.y, p.y}; }
__attribute__((noinline)) static Triple triple(Triple a, Triple b) { return (Triple){a.x + b.z, a.y * b.y, a.z - b.x}; }
__attribute__((noinline)) static Quad quad(Quad a, float f) { return (Quad){a.w * f, a.z * f, a.y * f, a.x * f}; }
__attribute__((noinline)) static Mixed mixed(Mixed m) { return (Mixed){m.x + (float)m.n, m.n + (int)m.x}; }
__attribute__((noinline)) static float _Complex turn(float _Complex c) { return c * I; }
__attribute__((noinline)) static uint64_t bits(Pair p) { uint64_t u; memcpy(&u, &p, 8); return u; }
__attribute__((noinline)) static Pair half(Pair p) { Pair q = p; q.y = 0.5f; return q; }
__attribute__((noinline)) static Pair partial(float f) { Pair q; q.x = f; q.y = -f; return q; }

static Pair sum(const Pair *p, int n)
{
    Pair s = {0, 0};
    for (int i = 0; i < n; i++) {
        Pair t = i & 1 ? swap(p[i]) : p[i];
        s = (Pair){s.x + t.x, s.y + t.y};
    }
    return s;
}

static void put(Pair p) { printf("%a %a %016llx\n", p.x, p.y, (unsigned long long)bits(p)); }

int main(void)
{
    Pair p = {1.5f, -2.25f}, zero = {0.0f, -0.0f};
    put(swap(p)), put(same(p)), put(upper(p)), put(half(p)), put(partial(3)), put(swap(zero)), put(upper(zero));
    Triple t = triple((Triple){1, 2, 3}, (Triple){4, 5, 6});
    Quad q = quad((Quad){1, 2, 3, 4}, 0.5f);
    Mixed m = mixed((Mixed){2.5f, 7});
    float _Complex c = turn(3.0f + 4.0f * I);
    printf("%g %g %g | %g %g %g %g | %g %d | %g %g\n", t.x, t.y, t.z, q.x, q.y, q.z, q.w, m.x, m.n, crealf(c), cimagf(c));
    Pair many[9];
    for (int i = 0; i < 9; i++)
        many[i] = (Pair){(float)i, (float)(i * i)};
    put(sum(many, 9));
    Pair nan = swap((Pair){NAN, 1.0f});
    printf("%d %d\n", nan.x == 1.0f, nan.y != nan.y);
    return 0;
}
