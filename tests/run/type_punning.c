#include <stdio.h>
#include <string.h>
#include <stdint.h>

static float from_bits(uint32_t u) {
  float f;
  memcpy(&f, &u, 4);
  return f;
}

static uint64_t to_bits(double d) {
  union { double d; uint64_t u; } x = { d };
  return x.u;
}

static int store_and_load(int *p, short *q) {
  *p = 0x00010001;
  *(char *)q = 5;
  return *p;
}

static float fast_inverse_sqrt(float x) {
  float h = x * 0.5f;
  uint32_t i;
  memcpy(&i, &x, sizeof i);
  i = 0x5f3759df - (i >> 1);
  memcpy(&x, &i, sizeof x);
  return x * (1.5f - h * x * x);
}

typedef int __attribute__((may_alias)) aliasing;

int main(void) {
  printf("%g %llx\n", from_bits(0x40490fdb), (unsigned long long)to_bits(-2.0));
  int i;
  printf("%x\n", store_and_load(&i, (short *)&i));
  printf("%.5f\n", fast_inverse_sqrt(4));
  float f = 1;
  *(aliasing *)&f += 0x00800000;
  printf("%g\n", f);
  char buf[8] = { 0 };
  for (int k = 0; k < 8; k++)
    buf[k] = (char)(k + 1);
  uint64_t v;
  memcpy(&v, buf, 8);
  uint32_t lo, hi;
  memcpy(&lo, buf, 4);
  memcpy(&hi, buf + 4, 4);
  printf("%llx %x %x\n", (unsigned long long)v, lo, hi);
  return 0;
}
