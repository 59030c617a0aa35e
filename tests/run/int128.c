// flags: -fwrapv
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void show(u128 v) {
  printf("%016llx%016llx\n", (unsigned long long)(v >> 64), (unsigned long long)v);
}

static i128 id(i128 x) { return x; }
static u128 mix(u128 a, int n, u128 b) { return (a << n) ^ b; }

struct pair {
  char tag;
  i128 value;
};

static struct pair make(int k) {
  struct pair p = { (char)k, (i128)k << 100 };
  return p;
}

int main(void) {
  i128 a = ((i128)0x123456789abcdef0 << 64) | 0xfedcba9876543210;
  i128 b = id(-((i128)987654321987654321 << 20));
  show(a + b);
  show(a - b);
  show(a * b);
  show(a / b);
  show(a % b);
  show(b / 1000);
  show((u128)b / 1000);
  show((u128)b % 12345678901234567890u);
  show(a << 5);
  show(a >> 67);
  show(b >> 67);
  show((u128)b >> 3);
  show(-a);
  show(~a & b);
  for (int i = 0; i < 128; i += 37)
    show(id(b) >> i ^ (u128)a << i);
  printf("%d %d %d %d\n", a < b, a > b, (u128)a < (u128)b, a == a);
  show(mix(a, 70, b));
  struct pair p = make('x');
  printf("%c %zu %zu\n", p.tag, sizeof p, _Alignof(struct pair));
  show(p.value);
  double d = (double)b;
  printf("%.17g %.9g %.20Lg\n", d, (float)a, (long double)a);
  show((i128)1e30);
  show((u128)1.5e25f);
  show((i128)3.7e35L);
  switch (id(5) + ((i128)1 << 64)) {
  case 5:
    printf("wrong\n");
    break;
  case ((i128)1 << 64) + 5:
    printf("right\n");
    break;
  }
  i128 sum = 0;
  for (i128 i = (i128)1 << 65; i < ((i128)1 << 65) + 10; i++)
    sum += i;
  show(sum);
  return 0;
}
