#include <stdio.h>
#include <string.h>
#include <stdint.h>

union num { float f; uint32_t u; unsigned char b[4]; };
union big { double d; uint64_t u; struct { uint32_t lo, hi; }; };
struct variant {
  enum { INT, REAL, TEXT } kind;
  union {
    int i;
    double r;
    const char *t;
  };
};

static void show(struct variant v) {
  switch (v.kind) {
  case INT: printf("int %d\n", v.i); break;
  case REAL: printf("real %g\n", v.r); break;
  case TEXT: printf("text %s\n", v.t); break;
  }
}

static union num change(union num n) {
  n.b[3] ^= 0x80;
  return n;
}

int main(void) {
  union num n = { 1.5f };
  printf("%08x %02x%02x\n", n.u, n.b[3], n.b[2]);
  n = change(n);
  printf("%g\n", n.f);
  union big b = { .u = 0x400921fb54442d18 };
  printf("%.15g %x %x\n", b.d, b.lo, b.hi);
  b.hi ^= 0x80000000;
  printf("%.15g\n", b.d);
  show((struct variant){ INT, .i = 5 });
  show((struct variant){ REAL, { .r = 2.5 } });
  show((struct variant){ .kind = TEXT, .t = "hi" });
  union { int a[3]; struct { int x, y, z; } s; } arr = { { 1, 2, 3 } };
  printf("%d %zu\n", arr.s.z, sizeof arr);
  union num arr2[2] = { { 2.0f }, { .u = 7 } };
  arr2[0] = arr2[1];
  printf("%u\n", arr2[0].u);
  union num *p = &arr2[1];
  p->f = -0.0f;
  printf("%x\n", p->u);
  volatile union num v;
  v.u = 0x3f800000;
  printf("%g\n", v.f);
  return 0;
}
