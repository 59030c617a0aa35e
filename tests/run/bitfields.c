#include <stdio.h>
#include <string.h>

struct a {
  int x : 5;
  unsigned y : 3;
  int z : 24;
};

struct b {
  char c;
  int a : 4;
  int : 0;
  short s : 9;
  unsigned long l : 40;
  _Bool f : 1;
  unsigned char u : 2;
};

struct __attribute__((packed)) p {
  unsigned a : 3;
  unsigned long b : 61;
  unsigned c : 17;
  signed d : 7;
};

union u {
  struct {
    unsigned lo : 4, hi : 4;
  };
  unsigned char byte;
};

static void dump(const void *p, int n) {
  const unsigned char *c = p;
  for (int i = 0; i < n; i++)
    printf("%02x", c[i]);
  printf("\n");
}

static struct a update(struct a v) {
  v.x += 3;
  v.y--;
  v.z = -v.z;
  return v;
}

int main(void) {
  struct a a = { 15, 7, -100 };
  printf("%d %u %d %zu\n", a.x, a.y, a.z, sizeof a);
  a = update(a);
  printf("%d %u %d\n", a.x, a.y, a.z);
  a.x = 31;
  printf("%d ", a.x);
  printf("%d\n", a.x = 17);
  struct b b;
  memset(&b, 0, sizeof b);
  b.c = 1;
  b.a = -3;
  b.s = 255;
  b.l = 0xabcdef0123ul;
  b.f = 5;
  b.u = 6;
  printf("%d %d %d %lx %d %d %zu\n", b.c, b.a, b.s, (unsigned long)b.l, b.f, b.u, sizeof b);
  dump(&b, sizeof b);
  struct p p = { 5, 0x1fedcba987654321, 0x1abcd, -60 };
  printf("%u %lx %x %d %zu\n", p.a, (unsigned long)p.b, p.c, p.d, sizeof p);
  dump(&p, sizeof p);
  p.b++;
  p.c ^= 0x1ffff;
  p.d *= -1;
  p.a += 4;
  dump(&p, sizeof p);
  union u u = { .byte = 0xa5 };
  u.lo++;
  printf("%x %x %x\n", u.lo, u.hi, u.byte);
  struct {
    unsigned a : 31;
    long long b : 33;
  } w = { 1, 1 };
  printf("%d %d\n", w.a - 2 < 0, (int)sizeof(w.b + 0));
  volatile struct a va = { 1, 2, 3 };
  va.y ^= 1;
  va.z += va.x;
  printf("%d %u %d\n", va.x, va.y, va.z);
  int i = 0;
  struct a arr[3] = { { 1 }, { 2, 2 }, { .z = 9 } };
  arr[i++].x = 7;
  arr[i++].y |= 5;
  for (int k = 0; k < 3; k++)
    printf("%d/%u/%d ", arr[k].x, arr[k].y, arr[k].z);
  printf("%d\n", i);
  return 0;
}
