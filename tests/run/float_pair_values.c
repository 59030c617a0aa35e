/* Structures of floats by value: sums of them around loops, met on two ways, passed on as a whole. */
#include <stdio.h>
#include <string.h>

typedef struct { float x, y; } Pair;
typedef struct { float x, y, z; } Triple;
typedef struct { int a; float b; } Mixed;

static Pair pair(float x, float y) { return (Pair){x, y}; }
static Pair add(Pair a, Pair b) { return (Pair){a.x + b.x, a.y + b.y}; }
static Triple sub3(Triple a, Triple b) { return (Triple){a.x - b.x, a.y - b.y, a.z - b.z}; }
static Triple scale3(Triple a, float s) { return (Triple){a.x * s, a.y * s, a.z * s}; }
static Mixed step(Mixed m) { return (Mixed){m.a * 3 + 1, m.b * 0.5f}; }

__attribute__((noinline)) static Pair opaque(Pair p) { return (Pair){p.y, -p.x}; }

__attribute__((noinline)) static Pair sum(const Pair *p, int n)
{
    Pair s = {0, -0.0f};
    for (int i = 0; i < n; i++)
        s = add(s, p[i]);
    return s;
}

__attribute__((noinline)) static Pair turning(const Pair *p, int n)
{
    Pair s = pair(1, 2);
    for (int i = 0; i < n; i++) {
        if (p[i].x > 2)
            s = opaque(s);
        else if (p[i].y > 1)
            s = add(s, p[i]);
        else
            s = p[i];
    }
    return s;
}

__attribute__((noinline)) static float swapped(float a, float b, int n)
{
    Pair s = pair(a, b);
    for (int i = 0; i < n; i++)
        s = pair(s.y, s.x);
    return s.x * 10 + s.y;
}

__attribute__((noinline)) static Mixed mixed(Mixed m, int n)
{
    while (n-- > 0)
        m = step(m);
    return m;
}

__attribute__((noinline)) static Triple fall(Triple *t, int n)
{
    Triple s = {0, 0, 0};
    for (int i = 1; i < n; i++) {
        t[i] = scale3(sub3(t[i], t[i - 1]), 0.5f);
        s = sub3(s, t[i]);
    }
    return s;
}

__attribute__((noinline)) static unsigned long long words(unsigned lo, unsigned hi, int n)
{
    unsigned long long w = 5;
    for (int i = 0; i < n; i++) {
        unsigned l = (unsigned)w + lo, h = (unsigned)(w >> 32) ^ hi;
        w = l | (unsigned long long)h << 32;
        if (i == 3)
            w += 0xffffffff;
    }
    return w;
}

int main(void)
{
    Pair p[6] = {{1, 2}, {3, 4}, {0.5f, -1}, {2, 2}, {9, 1}, {-1, 1.5f}};
    for (int n = 0; n <= 6; n++) {
        Pair s = sum(p, n), t = turning(p, n);
        printf("%g %g  %g %g  %g\n", s.x, s.y, t.x, t.y, swapped(1, 2, n));
    }
    Mixed m = mixed((Mixed){1, 64}, 5);
    printf("%d %g\n", m.a, m.b);
    Triple t[5] = {{1, 2, 3}, {4, 5, 7}, {0, 0, 1}, {2, -1, 5}, {3, 3, 3}};
    Triple f = fall(t, 5);
    printf("%g %g %g  %g %g %g\n", f.x, f.y, f.z, t[4].x, t[4].y, t[4].z);
    for (int n = 0; n < 7; n++)
        printf("%llx\n", words(0xfffffff0, 0x1234, n));
    return 0;
}
