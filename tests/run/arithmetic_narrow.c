#include <stdio.h>

static signed char sc(int x) { return x; }
static unsigned char uc(int x) { return x; }
static short ss(int x) { return x; }
static unsigned short us(int x) { return x; }

int main(void) {
  printf("%d %d %d %d\n", sc(200), uc(200), ss(40000), us(70000));
  unsigned char c = uc(250);
  c += 10;
  printf("%d\n", c);
  signed char d = sc(127);
  d++;
  printf("%d\n", d);
  short s = ss(32767);
  s += 2;
  printf("%d\n", s);
  unsigned short u = us(1);
  u -= 2;
  printf("%d %d\n", u, u >> 1);
  c = uc(0x81);
  printf("%d %d %d\n", c << 1, (unsigned char)(c << 1), c >> 1);
  d = sc(-3);
  printf("%d %d %d %d\n", d / 2, d >> 1, d % 2, -d);
  printf("%d %d\n", sc(-1) < uc(1), sc(-1) < (unsigned)1);
  printf("%d\n", us(65535) * us(2));
  c = 3;
  c *= 100;
  printf("%d\n", c);
  c /= 7;
  printf("%d\n", c);
  c <<= 5;
  printf("%d\n", c);
  c ^= 0xff;
  printf("%d\n", c--);
  printf("%d\n", --c);
  return 0;
}
