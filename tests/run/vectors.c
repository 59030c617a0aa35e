#include <stdio.h>

typedef int v4si __attribute__((vector_size(16)));
typedef float v4sf __attribute__((vector_size(16)));
typedef double v2df __attribute__((vector_size(16)));
typedef short v8hi __attribute__((vector_size(16)));
typedef unsigned char v16qu __attribute__((vector_size(16)));
typedef long v2di __attribute__((vector_size(16)));
typedef int v2si __attribute__((vector_size(8)));

static v4si add(v4si a, v4si b) { return a + b; }
static v4sf scale(v4sf a, float f) { return a * f; }

static void show(v4si v) { printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]); }

union pun { v4sf f; v4si i; unsigned char b[16]; };

int main(void) {
  v4si a = { 1, -2, 3, -4 }, b = { 10, 20, 30, 40 };
  show(add(a, b));
  show(a - b);
  show(a * b);
  show(b / a);
  show(b % 7);
  show(a & b);
  show(~a | 1);
  show(a << 2);
  show(b >> (v4si){ 1, 2, 3, 0 });
  show(a < b);
  show(a == (v4si){ 1, 0, 3, 0 });
  show(-a);
  v4sf f = { 1.5f, 2.5f, -3.5f, 0 };
  f = scale(f, 2);
  printf("%g %g %g %g\n", f[0], f[1], f[2], f[3]);
  f += (v4sf){ 1, 1, 1, 1 };
  f[3] = 9;
  union pun p = { f };
  printf("%g %x %d\n", f[3], p.i[0], p.b[15]);
  show((v4si)f);
  v2df d = { 1.25, -8 };
  d = d * d + 1;
  printf("%g %g\n", d[0], d[1]);
  v8hi h = { 1, 2, 3, 4, 5, 6, 7, 8 };
  h *= h;
  int s = 0;
  for (int i = 0; i < 8; i++)
    s += h[i];
  printf("%d\n", s);
  v16qu c = { 250, 251, 252 };
  c += 10;
  printf("%d %d %d %d\n", c[0], c[1], c[2], c[3]);
  v2di l = { 1l << 40, -1 };
  l ^= l >> 1;
  printf("%lx %lx\n", l[0], l[1]);
  show(__builtin_shuffle(a, (v4si){ 3, 2, 1, 0 }));
  show(__builtin_shuffle(a, b, (v4si){ 0, 4, 1, 5 }));
  show(__builtin_convertvector(f, v4si));
  v2si small = { 5, 6 };
  small = small + small;
  printf("%d %d %zu\n", small[0], small[1], sizeof small);
  v4si arr[2] = { a, b };
  arr[1][2] += arr[0][1];
  show(arr[1]);
  return 0;
}
