/* Structures with the scalar_storage_order attribute: every way a scalar gets into memory and out of it. */
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#define BIG __attribute__((scalar_storage_order("big-endian")))
#define LITTLE __attribute__((scalar_storage_order("little-endian")))

enum color { RED = 1, BLUE = 0x1234 };
struct inner { int native; };
struct BIG outer {
  short s;
  int i;
  long l;
  float f;
  double d;
  _Complex float cf;
  enum color e;
  _Bool b;
  char *p;
  int a[3];
  short m[2][2];
  wchar_t w[3];
  struct inner in;
  struct LITTLE { int li; } little;
  __int128 wide;
};
struct BIG bits {
  unsigned a : 3, b : 7;
  int c : 17;
  unsigned long d : 40;
  _Bool e : 1;
  unsigned char g : 4;
};
struct BIG __attribute__((packed)) tight {
  unsigned long a : 5;
  unsigned long b : 64;
  int c : 20;
  unsigned short d;
};
union BIG both { unsigned u; unsigned char c[4]; unsigned short h[2]; };

#pragma scalar_storage_order big-endian
struct by_pragma { int x; };
#pragma scalar_storage_order default
struct plain { int x; };

static void dump(const char *name, const void *p, unsigned n) {
  const unsigned char *c = p;
  printf("%-8s", name);
  while (n--) printf("%02x", *c++);
  printf("\n");
}

static struct outer global = {1, 2, 3, 4.5f, 5.5, 1.0f + 2.0fi, BLUE, 1, 0, {7, 8, 9}, {{1, 2}, {3, 4}}, {1, 2}, {10}, {11}, 12};
static struct bits global_bits = {5, 100, -3, 0x123456789aUL, 1, 9};
static const struct tight global_tight = {17, 0x0123456789abcdefUL, -77, 0xbeef};

__attribute__((noinline)) struct outer make(int n) {
  struct outer o = {.s = n, .i = n + 1, .a = {n, n, n}, .m = {[1] = {n, 2}}, .w = {1, n}};
  o.l = n * 1000L;
  o.f = n;
  o.cf = n + 2.0fi * n;
  __imag__ o.cf += 1;
  o.wide = (__int128)n << 70;
  return o;
}
__attribute__((noinline)) struct bits make_bits(unsigned n) {
  struct bits b;
  // Its padding is shown.
  memset(&b, 0, sizeof b);
  b.a = n, b.b = n, b.c = n, b.d = n, b.e = n, b.g = n;
  b.c += 5;
  b.d <<= 3;
  b.b++;
  return b;
}
__attribute__((noinline)) struct tight make_tight(unsigned long n) {
  struct tight t = {.a = n, .b = n * 0x100000001UL, .c = -(int)n, .d = n};
  --t.b;
  return t;
}
__attribute__((noinline)) long sum(struct outer o, struct bits b, struct tight t) {
  return o.s + o.i + o.a[1] + o.m[1][0] + (long)(__imag__ o.cf) + b.a + b.b + b.c + b.d + t.a + t.b + t.c + t.d;
}
static int get(struct by_pragma *p) { return p->x; }

int main(void) {
  struct outer o = make(77);
  volatile int one = 1;
  dump("global", &global, __builtin_offsetof(struct outer, in) + 8);
  dump("bits", &global_bits, sizeof global_bits);
  dump("tight", &global_tight, sizeof global_tight);
  o.p = 0;
  printf("%d %d %ld %g %g %d\n", o.s, o.i, o.l, o.f, __imag__ o.cf, (int)(o.wide >> 70));
  o.a[one] += 5;
  o.a[2]++;
  o.a[0] = o.a[1]-- * 2;
  printf("%d %d %d %d\n", o.a[0], o.a[1], o.a[2], o.m[one][0]);
  printf("%d %d %d\n", make(5).i, make(6).a[one], make_bits(3).c);
  struct bits b = make_bits(0x5a);
  dump("b", &b, sizeof b);
  printf("%u %u %d %lu %d %d\n", b.a, b.b, b.c, (unsigned long)b.d, b.e, b.g);
  struct tight t = make_tight(0x89abcdef);
  printf("%lu %lx %d %x\n", (unsigned long)t.a, (unsigned long)t.b, t.c, t.d);
  printf("%ld\n", sum(o, b, t));
  union both u;
  u.u = 0x01020304;
  printf("%x %x %x\n", u.c[0], u.h[0], u.h[1]);
  u.h[1] = 0xaabb;
  printf("%x\n", u.u);
  struct by_pragma p = {258};
  struct plain q = {258};
  dump("pragma", &p, sizeof p);
  dump("plain", &q, sizeof q);
  printf("%d %d\n", get(&p), (int)sizeof(__typeof__(p.x)));
  __typeof__(p.x) copy = 258;
  dump("typeof", &copy, sizeof copy);
  o.in.native = 3;
  o.little.li = 4;
  int *native = &o.in.native;
  printf("%d %d\n", *native, o.little.li);
  o.e = BLUE;
  o.b = 3;
  o.d = o.e / 2.0;
  printf("%d %d %g %s\n", o.e, o.b, o.d, _Generic(o.i, int: "int", default: "other"));
  struct outer copied = o;
  printf("%d\n", memcmp(&copied.in, &o.in, sizeof o.in) == 0 && copied.l == o.l && copied.w[1] == 77);
  return 0;
}
