// checked: shift, negative numbers are shifted to the left
#include <stdio.h>
#include <limits.h>

static int id(int x) { return x; }
static unsigned uid(unsigned x) { return x; }
static long lid(long x) { return x; }

int main(void) {
  int a = id(-17), b = id(5);
  printf("%d %d %d %d %d\n", a + b, a - b, a * b, a / b, a % b);
  printf("%d %d %d\n", id(17) / id(-5), id(17) % id(-5), id(-17) / id(-5));
  unsigned u = uid(0xfffffff0u), v = uid(7);
  printf("%u %u %u %u %u\n", u + 32, u - v, u * v, u / v, u % v);
  printf("%d %d %d\n", a << 3, a >> 2, id(INT_MIN) >> 31);
  printf("%u %u\n", u >> 4, u << 4);
  printf("%d %d %d %d\n", a & b, a | b, a ^ b, ~a);
  long l = lid(-1234567890123L), m = lid(987654321L);
  printf("%ld %ld %ld %ld\n", l * 3, l / m, l % m, l >> 7);
  unsigned long ul = (unsigned long)l;
  printf("%lu %lu %lu\n", ul / 10, ul % 10, ul >> 60);
  printf("%d %d %d\n", -a, +b, !b);
  for (int d = 1; d <= 12; d++)
    printf("%d:%d:%d:%u ", id(1000) / d, id(-1000) / d, id(-1000) % d, uid(4000000000u) / d);
  printf("\n");
  int consts[] = { id(123456) / 3, id(-123456) / 7, id(-123456) % 7, id(99999) / 10, id(-99999) / 16, id(-99999) % 16, id(77777) / 641 };
  for (unsigned i = 0; i < sizeof consts / sizeof *consts; i++)
    printf("%d ", consts[i]);
  printf("\n%lu %lu %ld %ld\n", ul / 1000000007, ul % 1000000007, l / 1024, l % 1024);
  return 0;
}
