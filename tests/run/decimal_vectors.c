// llvm: routines of libgcc
// interpreter: calls functions of libgcc
// Vectors of decimal floating-point numbers: operators lane by lane, comparisons, conversions, initialisers, passing.
#include <stdio.h>

typedef _Decimal32 D32x4 __attribute__((vector_size(16)));
typedef _Decimal64 D64x1 __attribute__((vector_size(8)));
typedef _Decimal64 D64x2 __attribute__((vector_size(16)));
typedef _Decimal64 D64x4 __attribute__((vector_size(32)));
typedef _Decimal128 D128x2 __attribute__((vector_size(32)));
typedef double F64x4 __attribute__((vector_size(32)));
typedef int I32x4 __attribute__((vector_size(16)));
typedef long I64x4 __attribute__((vector_size(32)));

static D64x4 table[2] = {{1.5dd, 2.25dd, -3.dd, 4e10dd}, {10}};
D128x2 large = {1e100dl, -7};

static void show(char const *name, D64x4 v) {
  printf("%s: %g %g %g %g\n", name, (double)v[0], (double)v[1], (double)v[2], (double)v[3]);
}

static void show_mask(char const *name, I64x4 v) { printf("%s: %ld %ld %ld %ld\n", name, v[0], v[1], v[2], v[3]); }

__attribute__((noinline)) D64x2 swap(int before, D64x2 v, D64x1 one, D64x4 four, int after) {
  D64x2 r = {v[1] + one[0] + before, v[0] + four[3] + after};
  return r;
}

struct Holder {
  D64x1 d;
};

__attribute__((noinline)) struct Holder twice(struct Holder h) {
  h.d += h.d;
  return h;
}

__attribute__((noinline)) static D64x4 operators(D64x4 a, D64x4 b) {
  D64x4 r = (a + b) * a - -b / 4.dd;
  r[1] += 0.125dd;
  return r;
}

int main(void) {
  D64x4 a = table[0], b = {0.1dd, 0.2dd, 0.3dd, 0.4dd};
  show("a", a);
  show("operators", operators(a, b));
  show("scalar", 2.0 * a + 1.5dd);
  show("table", table[1]);
  // 0.1 + 0.2 is 0.3 in decimal.
  D64x4 sum = b + (D64x4){0.2dd, 0.1dd, 0, 0};
  show_mask("equal", sum == (D64x4){0.3dd, 0.3dd, 0.3dd, 0.3dd});
  show_mask("less", a < b);
  show_mask("not less", a >= b);
  show_mask("unequal", a != table[0]);
  F64x4 f = __builtin_convertvector(a, F64x4);
  printf("%g %g\n", f[0], f[3]);
  D32x4 narrow = __builtin_convertvector(f, D32x4);
  I32x4 whole = __builtin_convertvector(narrow * 10.df, I32x4);
  printf("%d %d %d\n", whole[0], whole[1], whole[2]);
  D32x4 back = __builtin_convertvector((I32x4){7, -8, 9, 1000000}, D32x4);
  I32x4 order = {3, 2, 1, 0};
  back = __builtin_shuffle(back, order);
  printf("%g %g\n", (double)back[0], (double)back[3]);
  printf("%g %g\n", (double)(large[0] / 1e99dl), (double)(large + large)[1]);
  D64x2 s = swap(1, (D64x2){100, 200}, (D64x1){0.5dd}, a, 2);
  printf("%g %.17g\n", (double)s[0], (double)s[1]);
  struct Holder h = {{21}};
  printf("%g %zu\n", (double)twice(h).d[0], sizeof(h));
  volatile D64x4 v = a;
  v *= v;
  show("square", v);
  I64x4 bits = (I64x4)(D64x4){1.dd, 0.dd};
  printf("%lx %lx\n", bits[0], bits[1]);
  typedef long I64x2 __attribute__((vector_size(16)));
  D64x2 p = {1.dd, 2.dd}, q = {1.0dd, 3.dd};
  I64x2 same = p == q, raw = (I64x2)p ^ (I64x2)q;
  p = (D64x2)(same & (I64x2)q);
  I32x4 four = narrow > back;
  printf("%ld %ld %lx %lx %g %d %d\n", same[0], same[1], raw[0], raw[1], (double)p[0], four[0], four[1]);
}
