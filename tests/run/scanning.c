// Conversions of sscanf: what is read, what is stored, and where it stops.
#include <stdio.h>
#include <string.h>

int main(void) {
  int a = -1, b = -1, n = -1;
  long l = -1;
  short h[2] = {-1, -1};
  unsigned char c[3] = "zz";
  char w[20], v[20];
  double d = -1;
  float f = -1;
  printf("%d ", sscanf("  12,0x1f 017", "%d,%i%i", &a, &b, &n));
  printf("%d %d %d\n", a, b, n);
  printf("%d ", sscanf("123456 789", "%3d%2d%n", &a, &b, &n));
  printf("%d %d %d\n", a, b, n);
  printf("%d ", sscanf("-5000000000 77 66", "%ld %hd %hhu", &l, &h[0], &c[0]));
  printf("%ld %d %d %d %d\n", l, h[0], h[1], c[0], c[1]);
  printf("%d ", sscanf("1.5e3 -.25x", "%lf%f%c", &d, &f, w));
  printf("%g %g %c\n", d, f, w[0]);
  printf("%d ", sscanf("key = some value; rest", "%[^= ] = %[a-z ]%n", w, v, &n));
  printf("[%s] [%s] %d\n", w, v, n);
  printf("%d ", sscanf("abc def", "%*s %2c", w));
  printf("%.2s\n", w);
  printf("%d %d %d %d\n", sscanf("", "%d", &a), sscanf("   ", " %d", &a), sscanf("x", "%d", &a), sscanf("5 x", "%d %d", &a, &b));
  printf("%d %d\n", sscanf("50%", "%d%%", &a), sscanf("]-x", "%[]-]%c", w, v));
  printf("%s %c\n", w, v[0]);
  return 0;
}
