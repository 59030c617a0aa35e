// interpreter: inline assembly
// llvm: operands in two registers
// Operands of 16 bytes in two general registers.
#include <stdio.h>

typedef unsigned __int128 wide;
typedef struct {
  long a, b;
} both;

static void show(char const *name, wide w) { printf("%s: %lx %lx\n", name, (unsigned long)(w >> 64), (unsigned long)w); }

static wide product(unsigned long a, unsigned long b) {
  wide result;
  __asm__("movq %1, %%rax; mulq %2" : "=&A"(result) : "r"(a), "r"(b) : "cc");
  return result;
}

static __attribute__((noinline)) both struct_through(both s) {
  __asm__("addq $5, %q0" : "+r"(s));
  return s;
}

static __attribute__((noinline)) _Complex long complex_through(_Complex long c) {
  __asm__("" : "+r"(c) : "r"(0), "r"(1));
  return c;
}

static __attribute__((noinline)) wide tied(wide a, wide b, long c) {
  wide r, q;
  __asm__("addq %4, %q0; addq $1, %q1" : "=r"(r), "=&r"(q) : "0"(a), "1"(b), "r"(c), "a"(c), "d"(c), "S"(c));
  return r ^ q;
}

static __attribute__((noinline)) unsigned long divide(wide a, unsigned long b, unsigned long *rest) {
  unsigned long quotient, remainder;
  __asm__("divq %4" : "=a"(quotient), "=d"(remainder) : "0"((unsigned long)a), "1"((unsigned long)(a >> 64)), "r"(b));
  *rest = remainder;
  return quotient;
}

static __attribute__((noinline)) long low_half(wide a) {
  long r;
  __asm__("movq %q1, %0" : "=r"(r) : "r"(a));
  return r;
}

int main(void) {
  show("product", product(0x123456789abcdef0, 0xfedcba9876543210));
  both s = struct_through((both){1, 2});
  printf("%ld %ld\n", s.a, s.b);
  _Complex long c = complex_through(3 + 4i);
  printf("%ld %ld\n", __real__ c, __imag__ c);
  show("tied", tied((wide)7 << 64 | 1, (wide)9 << 64 | 2, 10));
  unsigned long rest;
  unsigned long quotient = divide((wide)1 << 64 | 5, 10, &rest);
  printf("%lu %lu %ld\n", quotient, rest, low_half((wide)1 << 64 | 77));
  wide seen = (wide)3 << 64 | 4;
  for (int i = 0; i < 3; i++) {
    __asm__ volatile("" : "+r"(seen));
    seen = seen * 3 + i;
  }
  show("seen", seen);
}
