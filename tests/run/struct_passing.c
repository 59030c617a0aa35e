#include <stdio.h>

struct i1 { char a; };
struct i2 { int a; short b; };
struct i3 { long a, b; };
struct f1 { float a; };
struct f2 { float a, b; };
struct f3 { float a, b, c; };
struct f4 { float a, b, c, d; };
struct d1 { double a; };
struct d2 { double a, b; };
struct m1 { int a; float b; };
struct m2 { double a; long b; };
struct m3 { long a; double b; };
struct m4 { float a; int b; double c; };
struct big { long v[5]; };
struct odd { char c[7]; };
struct odd11 { char c[11]; };
struct ld1 { long double v; };
struct empty {};
struct packed { char c; int i; } __attribute__((packed));
struct aligned { int a; } __attribute__((aligned(32)));
union ui { int i; float f; };
union ud { double d; struct { int a, b; } s; };
struct nest { struct f2 p; struct i2 q; };
struct arr { int a[4]; };

#define T(type, fmt, init, ...)                                                                                              \
  static struct type r_##type(int before, struct type v, double after) {                                                     \
    printf("%d %g " fmt "\n", before, after, __VA_ARGS__);                                                                   \
    return v;                                                                                                                \
  }                                                                                                                          \
  static void t_##type(void) {                                                                                               \
    struct type v = init;                                                                                                    \
    v = r_##type(1, v, 2.5);                                                                                                 \
    v = r_##type(2, r_##type(3, v, 4), 5.5);                                                                                 \
    printf("-> " fmt "\n", __VA_ARGS__);                                                                                     \
  }
#define I(...) { __VA_ARGS__ }

T(i1, "%d", I(7), v.a)
T(i2, "%d %d", I(70000, -3), v.a, v.b)
T(i3, "%ld %ld", I(1l << 40, -1), v.a, v.b)
T(f1, "%g", I(1.5f), v.a)
T(f2, "%g %g", I(1.5f, 2.5f), v.a, v.b)
T(f3, "%g %g %g", I(1.5f, 2.5f, 3.5f), v.a, v.b, v.c)
T(f4, "%g %g %g %g", I(1.5f, 2.5f, 3.5f, 4.5f), v.a, v.b, v.c, v.d)
T(d1, "%g", I(1.25), v.a)
T(d2, "%g %g", I(1.25, -8), v.a, v.b)
T(m1, "%d %g", I(5, 2.5f), v.a, v.b)
T(m2, "%g %ld", I(5.5, 25), v.a, v.b)
T(m3, "%ld %g", I(55, 2.5), v.a, v.b)
T(m4, "%g %d %g", I(1.5f, 9, 2.5), v.a, v.b, v.c)
T(big, "%ld %ld %ld", I({ 1, 2, 3, 4, 5 }), v.v[0], v.v[2], v.v[4])
T(odd, "%d %d %d", I({ 1, 2, 3, 4, 5, 6, 7 }), v.c[0], v.c[3], v.c[6])
T(odd11, "%d %d %d", I({ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 }), v.c[0], v.c[7], v.c[10])
T(ld1, "%Lg", I(1.5L), v.v)
T(packed, "%d %d", I(1, 100000), v.c, v.i)
T(aligned, "%d %d", I(11), v.a, (int)((unsigned long)&v & 31))
T(nest, "%g %g %d %d", I({ 1, 2 }, { 3, 4 }), v.p.a, v.p.b, v.q.a, v.q.b)
T(arr, "%d %d %d %d", I({ 1, 2, 3, 4 }), v.a[0], v.a[1], v.a[2], v.a[3])

static union ui swap_ui(union ui u) {
  u.i ^= 1;
  return u;
}
static union ud swap_ud(int x, union ud u) {
  u.s.a += x;
  return u;
}
static struct empty nothing(struct empty e, int x) {
  printf("empty %d\n", x);
  return e;
}
static long pressure(int a, int b, int c, int d, int e, struct i3 s, int f, struct i1 t) { return a + b + c + d + e + s.a * 10 + s.b * 100 + f * 1000 + t.a * 10000; }
static double fpressure(double a, double b, double c, double d, double e, double f, double g, struct d2 s, double h, struct f2 t) {
  return a + b + c + d + e + f + g + s.a * 10 + s.b * 100 + h * 1000 + t.a * 10000 + t.b * 100000;
}
static double mixed(int a, double b, struct m2 c, int d, int e, int f, int g, struct m3 h, struct m2 k, float l) {
  return a + b + c.a + c.b + d + e + f + g + h.a * 2 + h.b * 3 + k.a * 5 + k.b * 7 + l;
}

int main(void) {
  t_i1(); t_i2(); t_i3(); t_f1(); t_f2(); t_f3(); t_f4(); t_d1(); t_d2(); t_m1(); t_m2(); t_m3(); t_m4();
  t_big(); t_odd(); t_odd11(); t_ld1(); t_packed(); t_aligned(); t_nest(); t_arr();
  union ui u = { .i = 6 };
  printf("%d\n", swap_ui(u).i);
  union ud w = { .s = { 1, 2 } };
  w = swap_ud(10, w);
  printf("%d %d\n", w.s.a, w.s.b);
  nothing((struct empty){}, 3);
  printf("%ld\n", pressure(1, 2, 3, 4, 5, (struct i3){ 6, 7 }, 8, (struct i1){ 9 }));
  printf("%g\n", fpressure(1, 2, 3, 4, 5, 6, 7, (struct d2){ 8, 9 }, 1, (struct f2){ 2, 3 }));
  printf("%g\n", mixed(1, 2, (struct m2){ 3, 4 }, 5, 6, 7, 8, (struct m3){ 9, 10 }, (struct m2){ 11, 12 }, 13));
  return 0;
}
