/* Neighbouring stores of floats: in place, from what was just stored, shuffled, in loops, through pointers that may meet. */
#include <stdio.h>

typedef struct { double re, im; } C;
typedef struct { float x, y, z, w; } V;
typedef struct { float m[16]; } M;
typedef struct { double w, x, y, z; } Q;

static C mul(C a, C b) { return (C){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
static C add(C a, C b) { return (C){a.re + b.re, a.im + b.im}; }
static C sub(C a, C b) { return (C){a.re - b.re, a.im - b.im}; }

__attribute__((noinline)) static void butterfly(C *a, C *b, C w)
{
    C v = mul(*b, w), u = *a;
    *a = add(u, v);
    *b = sub(u, v);
}

__attribute__((noinline)) static void scale(C *a, int n)
{
    for (int i = 0; i < n; i++) {
        a[i].re *= 0.5;
        a[i].im *= -0.25;
    }
}

__attribute__((noinline)) static V transform(const M *m, V v)
{
    return (V){m->m[0] * v.x + m->m[4] * v.y + m->m[8] * v.z + m->m[12] * v.w,
               m->m[1] * v.x + m->m[5] * v.y + m->m[9] * v.z + m->m[13] * v.w,
               m->m[2] * v.x + m->m[6] * v.y + m->m[10] * v.z + m->m[14] * v.w,
               m->m[3] * v.x + m->m[7] * v.y + m->m[11] * v.z + m->m[15] * v.w};
}

__attribute__((noinline)) static void transforms(const M *m, V *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = transform(m, v[i]);
}

__attribute__((noinline)) static Q product(Q a, Q b)
{
    return (Q){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
               a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

__attribute__((noinline)) static void meet(double *to, const double *from, double s)
{
    to[0] = from[0] * s + 1;
    to[1] = from[1] * s + 1;
    to[3] = from[3] * s - 1;
    to[2] = from[2] * s - 1;
}

__attribute__((noinline)) static void chain(float *p, float s)
{
    p[0] = p[0] * s + 1;
    p[1] = p[0] * s + 1;
    p[2] = p[1] * s + 1;
    p[3] = p[2] * s + 1;
}

__attribute__((noinline)) static void backwards(float *p, float s)
{
    float a = p[0] * s, b = p[1] * s, c = p[2] * s, d = p[3] * s;
    p[0] = d + 1;
    p[1] = c + 1;
    p[2] = b + 1;
    p[3] = a + 1;
}

int main(void)
{
    C a[4] = {{1, 2}, {3, -4}, {0.5, 0}, {-0.0, 7}};
    butterfly(&a[0], &a[1], (C){0.6, -0.8});
    butterfly(&a[2], &a[2], (C){0.6, -0.8});
    scale(a, 4);
    for (int i = 0; i < 4; i++)
        printf("%g %g\n", a[i].re, a[i].im);
    M m;
    for (int i = 0; i < 16; i++)
        m.m[i] = (float)(i * 7 % 5) - 1.5f;
    V v[4] = {{1, 2, 3, 1}, {-1, 0.5f, 0, 1}, {4, 4, -4, 0}, {1, -1, 0, 2}};
    v[0] = transform(&m, v[1]);
    transforms(&m, v, 3);
    for (int i = 0; i < 3; i++)
        printf("%g %g %g %g\n", v[i].x, v[i].y, v[i].z, v[i].w);
    transforms((M *)v, (V *)v, 1);
    printf("%g %g\n", v[0].x, v[0].w);
    Q q = product((Q){1, 2, 3, 4}, (Q){0.5, -1, 2, 0.25});
    printf("%g %g %g %g\n", q.w, q.x, q.y, q.z);
    double d[12];
    for (int from = 0; from < 6; from++) {
        for (int i = 0; i < 12; i++)
            d[i] = i + 1;
        meet(d + 3, d + from, 2);
        for (int i = 0; i < 12; i++)
            printf("%g ", d[i]);
        printf("\n");
    }
    float f[4] = {1, 2, 3, 4};
    chain(f, 0.5f);
    printf("%g %g %g %g\n", f[0], f[1], f[2], f[3]);
    backwards(f, 2);
    printf("%g %g %g %g\n", f[0], f[1], f[2], f[3]);
    return 0;
}
