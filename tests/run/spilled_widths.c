// interpreter: inline assembly
// Values of 32 and 64 bits that are spilled: unsigned ones used as 64 bits, low halves of long ones, results of calls that leave garbage in
// the upper half, copies between both, comparisons of what is in a slot.
#include <stdio.h>

#define ALL "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"
#define SPILL __asm__ volatile("" : : : ALL, "memory")

static volatile unsigned long source = 0xfedcba9876543210;

__attribute__((noipa)) static unsigned narrow(unsigned long x) {
  unsigned out;
  // The upper half of the result's register is not clear.
  __asm__("mov %1, %q0" : "=r"(out) : "r"(x));
  return out;
}

__attribute__((noipa)) static void show(int line, long a, unsigned long b, int c, unsigned d) {
  printf("%d: %ld %lx %d %x\n", line, a, b, c, d);
}

__attribute__((noipa)) static unsigned long widened(unsigned long x, unsigned y) {
  unsigned low = (unsigned)x + y;
  unsigned long wide = low;
  SPILL;
  unsigned shifted = low >> 3;
  SPILL;
  if (low == 0x76543217)
    show(1, (int)low, wide, (int)x, shifted);
  SPILL;
  return wide + ((unsigned long)shifted << 32) + x;
}

__attribute__((noipa)) static long halves(long x) {
  int low = (int)x;
  int high = (int)(x >> 32);
  SPILL;
  long sum = x + low;
  SPILL;
  show(2, sum, (unsigned)low, high, (unsigned)x);
  SPILL;
  switch (low & 7) {
  case 1: return sum + high;
  case 2: return sum - low;
  case 3: return x;
  default: return low == high ? x : sum;
  }
}

__attribute__((noipa)) static unsigned long called(unsigned long x, int n) {
  unsigned a = narrow(x), b = narrow(x + 1), c = narrow(~x), d = narrow(x << 4), e = narrow(x >> 4), f = narrow(x * 3), g = narrow(x * 5),
           h = narrow(x * 7);
  unsigned long out = 0;
  for (int i = 0; i < n; i++) {
    unsigned next = narrow(out + a);
    out += (unsigned long)a + b * (unsigned long)c;
    if (d == 0x65432100 || e > f)
      out ^= (unsigned long)g << 7;
    a = b, b = c, c = d, d = e, e = f, f = g, g = h, h = next;
    SPILL;
  }
  return out + a + b + c + d + e + f + g + h;
}

__attribute__((noipa)) static int bytes(unsigned char *p, int n, unsigned long key) {
  unsigned char first = p[0], last = p[n - 1];
  short both = (short)(first << 8 | last);
  int found = 0;
  for (int i = 0; i < n; i++) {
    SPILL;
    if (p[i] == first)
      found++;
    SPILL;
    if (p[i] > last)
      found += 16;
    SPILL;
    if ((unsigned char)key == p[i])
      found += 256;
    key >>= 1;
  }
  return found + both;
}

int main(void) {
  unsigned long x = source;
  printf("%lx\n", widened(x, 7));
  for (long i = 0; i < 5; i++)
    printf("%ld\n", halves((long)(x + (unsigned long)i)));
  printf("%lx %lx\n", called(x, 1), called(x, 20));
  unsigned char text[] = {0x80, 3, 0xff, 0x80, 0x10, 7, 9};
  printf("%d\n", bytes(text, 7, x));
  return 0;
}
