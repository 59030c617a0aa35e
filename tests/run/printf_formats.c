#include <stdio.h>
#include <inttypes.h>
#include <stddef.h>

int main(void) {
  printf("[%5d][%-5d][%05d][%+d][% d][%x][%X][%#x][%o][%#o]\n", 42, 42, 42, 42, 42, 255, 255, 255, 8, 8);
  printf("[%8.3f][%-8.2f][%e][%G][%a]\n", 3.14159, 2.5, 12345.678, 1e-10, 1.0);
  printf("[%s][%10s][%-10s][%.3s][%*s]\n", "str", "right", "left", "truncate", 6, "star");
  printf("[%c][%%][%ld][%lld][%hd][%hhd][%zu][%td]\n", 'x', 123456789012, -1LL, (short)-2, (char)-3, sizeof(int), (ptrdiff_t)-4);
  printf("[%" PRId64 "][%" PRIu32 "][%" PRIx8 "][%jd]\n", (int64_t)-5, (uint32_t)6, (uint8_t)0xab, (intmax_t)7);
  printf("[%Lf][%.10Lg]\n", 1.5L, 1.0L / 3);
  int n, v = 0;
  printf("count%n\n", &n);
  char buf[32];
  int k = snprintf(buf, 8, "%d-%s", 12345, "long text");
  printf("%d %s %d\n", n, buf, k);
  printf("%d\n", sscanf("17 2.5 word 0x1f", "%d", &v) + v);
  int a, h;
  float f;
  char w[10];
  k = sscanf("17 2.5 word 0x1f", "%d %f %9s %x", &a, &f, w, &h);
  printf("%d %d %g %s %d\n", k, a, f, w, h);
  return 0;
}
