#include <stdio.h>

int a = 1, b, c[5], d[3] = { 1, 2 };
static const char text[] = "text";
const char *const strings[] = { "a", "b", "c" };
struct s { char c; long l; const char *p; int *q; } s = { 'x', 1L << 40, "pointer", &a };
static struct s table[] = { { 'a', 1, text, &c[2] }, { 'b', 2, text + 2, d + 1 } };
double dbl = 1.5, zero = 0.0, neg = -0.0;
float flt = 1.0f / 3;
long double ld = 1.25L;
_Bool flag = 3.7;
unsigned char bytes[4] = { 255, 256 - 1, 'a' };
long addr_diff = (char *)&table[1] - (char *)&table[0];
int (*fp)(const char *, ...) = printf;
void *self = &self;
char (*pa)[5] = (char(*)[5])text;
int expr = (3 + 4) * 2 > 10 ? 7 : 8;
unsigned u = -1;
long l = 0x80000000;
long m = (int)0x80000000;
short sh = (short)70000;
__int128 wide = (__int128)1 << 100;
_Complex double z = 1 + 2.0i;
static int *const cp = &d[2];
int tentative;
int tentative = 4;
static union { int i; float f; } un = { .f = 2.0f };
int big[100000];

int main(void) {
  printf("%d %d %d %d %d\n", a, b, c[4], d[1], d[2]);
  printf("%s %s %c %ld %s %d\n", text, strings[2], s.c, s.l, s.p, *s.q);
  *table[0].q = 9;
  printf("%s %d %d\n", table[1].p, c[2], *table[1].q);
  printf("%g %g %g %g %Lg %d\n", dbl, zero, neg, flt, ld, flag);
  printf("%d %d %d %ld\n", bytes[0], bytes[1], bytes[3], addr_diff);
  fp("%d %s %d\n", self == &self, (char *)pa, expr);
  printf("%u %ld %ld %d %d\n", u, l, m, sh, (int)(wide >> 98));
  printf("%g %g %d %d %x %d\n", __real__ z, __imag__ z, *cp, tentative, un.i, big[99999]);
  return 0;
}
