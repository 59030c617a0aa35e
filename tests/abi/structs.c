/* Structures of every class, by value, in both directions. */
#include <stdio.h>

typedef struct { char a; } s1;
typedef struct { short a; char b; } s2;
typedef struct { int a; float b; } s3;
typedef struct { float a, b, c; } s4;
typedef struct { double a; float b; } s5;
typedef struct { long a; double b; } s6;
typedef struct { double a; long b; } s7;
typedef struct { long a[3]; } s8;
typedef struct { long double a; } s9;
typedef struct { char a[16]; } s10;
typedef struct { char a[17]; } s11;
typedef struct { _Complex float a; int b; } s12;
typedef struct { _Complex double a; } s13;
typedef struct { __int128 a; } s14;
typedef struct { int a : 5; long b : 40; } s15;
typedef struct { char c; double d; } __attribute__((packed)) s16;
typedef union { long a; double b; } u1;
typedef union { float a; struct { char x, y; } b; } u2;
typedef struct { s3 a[2]; } s17;
typedef struct { float v __attribute__((vector_size(16))); } s18;
typedef struct { _Float16 h[3]; } s19;
typedef struct { struct {} e; float f; } s20;
/* A bit-field of a union counts as an integer that has to be aligned. */
typedef struct { long a; char b; union { unsigned long m : 10; } __attribute__((packed)) u; } s21;

#define ALL(X) X(s1) X(s2) X(s3) X(s4) X(s5) X(s6) X(s7) X(s8) X(s9) X(s10) X(s11) X(s12) X(s13) X(s14) X(s15) X(s16) X(u1) X(u2) X(s17) X(s18) X(s19) X(s20) X(s21)
#define DECLARE(t)                                                                                                            \
  t pass_##t(int n, t a, double d, t b);                                                                                      \
  long many_##t(int a, t x, int b, t y, long c, t z, int d, t w, int e);
ALL(DECLARE)

/* Bytes before the padding at the end, which no copy has to keep. */
#define VALUE_SIZE(t) value_size_##t = sizeof(t)
enum {
  value_size_s2 = 3, value_size_s5 = 12, value_size_s9 = 10, value_size_s15 = 5, value_size_s21 = 10,
  VALUE_SIZE(s1), VALUE_SIZE(s3), VALUE_SIZE(s4), VALUE_SIZE(s6), VALUE_SIZE(s7), VALUE_SIZE(s8), VALUE_SIZE(s10), VALUE_SIZE(s11),
  VALUE_SIZE(s12), VALUE_SIZE(s13), VALUE_SIZE(s14), VALUE_SIZE(s16), VALUE_SIZE(s17), VALUE_SIZE(s18), VALUE_SIZE(s19),
  VALUE_SIZE(s20), VALUE_SIZE(u1), VALUE_SIZE(u2)
};

static unsigned sum(const void *p, unsigned n) {
  const unsigned char *c = p;
  unsigned s = 0;
  while (n--)
    s = s * 31 + *c++;
  return s;
}

#ifdef CALLEE
#define DEFINE(t)                                                                                                             \
  t pass_##t(int n, t a, double d, t b) {                                                                                     \
    printf("%s %d %u %g %u\n", #t, n, sum(&a, value_size_##t), d,                 \
           sum(&b, sizeof(t) == 16 && #t[1] == '9' && #t[2] == 0 ? 10 : sizeof b));                                           \
    return n & 1 ? a : b;                                                                                                     \
  }                                                                                                                           \
  long many_##t(int a, t x, int b, t y, long c, t z, int d, t w, int e) {                                                     \
    unsigned k = value_size_##t;                                              \
    return a + 2 * b + 3 * c + 4 * d + 5 * e + (sum(&x, k) ^ sum(&y, k)) + (sum(&z, k) ^ sum(&w, k)) % 1000;                  \
  }
ALL(DEFINE)
#endif

#ifdef CALLER
#include <string.h>
static void fill(void *p, unsigned n, unsigned seed) {
  unsigned char *c = p;
  for (unsigned i = 0; i < n; i++)
    c[i] = (unsigned char)(seed = seed * 1103515245 + 12345) % 61 + 1;
}

#define CALL(t)                                                                                                               \
  {                                                                                                                           \
    t v[4];                                                                                                                   \
    memset(v, 0, sizeof v);                                                                                                   \
    for (int i = 0; i < 4; i++)                                                                                               \
      set_##t(&v[i], i + 1);                                                                                                  \
    t r = pass_##t(1, v[0], 2.5, v[1]);                                                                                       \
    r = pass_##t(2, r, 3.5, v[2]);                                                                                            \
    unsigned k = value_size_##t;                                              \
    printf("%u %ld\n", sum(&r, k), many_##t(1, v[0], 2, v[1], 3, v[2], 4, v[3], 5));                                          \
  }
#define SET(t, ...)                                                                                                           \
  static void set_##t(t *p, int i) { __VA_ARGS__; }
SET(s1, p->a = i)
SET(s2, p->a = i * 300; p->b = i)
SET(s3, p->a = i * 70000; p->b = i + 0.5f)
SET(s4, p->a = i; p->b = i * 2; p->c = i * 4.5f)
SET(s5, p->a = i * 1.25; p->b = i)
SET(s6, p->a = i * 10000000000; p->b = i / 3.0)
SET(s7, p->a = i / 7.0; p->b = -i)
SET(s8, fill(p, sizeof *p, i))
SET(s9, p->a = i / 3.0L)
SET(s10, fill(p, sizeof *p, i))
SET(s11, fill(p, sizeof *p, i))
SET(s12, p->a = i + 2.0if; p->b = i)
SET(s13, p->a = i - 2.0i)
SET(s14, p->a = (__int128)i << 90 | i)
SET(s15, p->a = i; p->b = i * 1000000007L)
SET(s16, p->c = i; p->d = i / 9.0)
SET(u1, p->b = i * 1.1)
SET(u2, p->a = i * 1.1f)
SET(s17, p->a[0].a = i; p->a[1].b = i * 2.5f)
SET(s18, for (int k = 0; k < 4; k++) p->v[k] = i * k + 0.5f)
SET(s19, for (int k = 0; k < 3; k++) p->h[k] = i + k * 0.5f)
SET(s20, p->f = i * 0.75f)
SET(s21, p->a = i * 5L; p->b = i + 1; p->u.m = i * 3)

int main(void) {
  ALL(CALL)
  return 0;
}
#endif
