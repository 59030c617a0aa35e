#include <stdio.h>
#include <limits.h>

static int always(int x) {
  if (0)
    return 1 / 0;
  if (1 || x)
    x += 2;
  while (0)
    x = 99;
  switch (3) {
  case 1:
    return -1;
  case 3:
    x *= 2;
  }
  return sizeof(int) == 4 ? x : -x;
}

static unsigned identities(unsigned x) {
  return (x | 0) + (x & ~0u) + x * 1 + x / 1 + (x ^ 0) + (x << 0) + (x - x) + (x ^ x) + (x & 0) + (x % 1);
}

static int strength(int x) { return x * 8 + x * 15 + x * -3 + x / 8 + x % 16 + (x * 2) / 2; }
static int compare(unsigned x) { return (x < 0) + (x >= 0) * 2 + (x <= UINT_MAX) * 4 + (x > UINT_MAX) * 8; }
static int reassoc(int a, int b) { return (a + 5) - (b + 5) + ((a - b) - (a - b)); }
static int unreachable(int x) {
  if (x > 10)
    __builtin_unreachable();
  return x <= 10;
}
static int constant_loop(void) {
  int s = 0;
  for (int i = 0; i < 100; i++)
    s += i % 3 ? i : -i;
  return s;
}
static double fold(double x) { return x * 1.0 + 0.0 - 0.0 + x / 1.0 + (x - 0.0); }
static double nofold(double x) { return x * 0.0 + (x - x) + (0.0 - x); }

int main(void) {
  printf("%d %u %d %d %d\n", always(4), identities(1000), strength(-37), compare(7), reassoc(9, 4));
  printf("%d %d %g %g\n", unreachable(3), constant_loop(), fold(1.5), nofold(2.5));
  printf("%d %d %u\n", INT_MIN / 2 % 7, -7 / 2 * 2 - -7 % 2, -1u / 3);
  printf("%d\n", (int)(char)(unsigned char)(short)-129);
  return 0;
}
