// Structures of four floats that are returned in two registers are computed as one vector, and
// conversions lane by lane.
#include <stdio.h>

struct vec { float x, y, z, w; };
struct matrix { float m[16]; };

__attribute__((noinline)) static struct vec transform(const struct matrix *m, const struct vec *v) {
    struct vec r;
    r.x = m->m[0] * v->x + m->m[4] * v->y + m->m[8] * v->z + m->m[12] * v->w;
    r.y = m->m[1] * v->x + m->m[5] * v->y + m->m[9] * v->z + m->m[13] * v->w;
    r.z = m->m[2] * v->x + m->m[6] * v->y + m->m[10] * v->z + m->m[14] * v->w;
    r.w = m->m[3] * v->x + m->m[7] * v->y + m->m[11] * v->z + m->m[15] * v->w;
    return r;
}
__attribute__((noinline)) static struct vec scaled(struct vec a, float by) {
    struct vec r = {a.x * by, a.y * by, a.z * by, a.w * by};
    return r;
}
__attribute__((noinline)) static struct vec mixed(const int *p, float by, int which) {
    if (which) {
        struct vec r = {p[0] + by, p[1] + by, p[2] + by, p[3] + by};
        return r;
    }
    struct vec r = {by, by - 1, p[0], by + 1};
    return r;
}
__attribute__((noinline)) static void to_floats(float *restrict p, const int *restrict q) {
    p[0] = q[0]; p[1] = q[1]; p[2] = q[2]; p[3] = q[3];
}
__attribute__((noinline)) static void to_ints(int *restrict p, const float *restrict q, double d) {
    p[0] = (int)(q[0] * 2); p[1] = (int)(q[1] * 2); p[2] = (int)(q[2] * 2); p[3] = (int)(q[3] * 2);
    p[4] = (int)q[0]; p[5] = (int)d; p[6] = (int)q[2]; p[7] = (int)q[3];
}
static void show(struct vec v) { printf("%g %g %g %g\n", v.x, v.y, v.z, v.w); }

int main(void) {
    struct matrix m;
    for (int i = 0; i < 16; i++) m.m[i] = i * i - 20;
    struct vec v = {1, -2, 3.5f, 0.25f};
    show(transform(&m, &v));
    show(scaled(v, -3));
    int p[8] = {1, -2, 2147483647, 16777217};
    show(mixed(p, 0.5f, 1));
    show(mixed(p, 0.5f, 0));
    float f[4];
    to_floats(f, p);
    printf("%.1f %.1f %.1f %.1f\n", f[0], f[1], f[2], f[3]);
    f[2] = -7.75f;
    to_ints(p, f, 9.5);
    for (int i = 0; i < 8; i++) printf("%d ", p[i]);
    puts("");
}
