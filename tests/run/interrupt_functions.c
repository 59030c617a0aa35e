// flags: -mgeneral-regs-only
// interpreter: inline assembly
// llvm: interrupt functions
/* interrupt: an interrupt is made by hand, with and without an error code; the handler keeps every register. Stack pointer variables. */
#include <stdio.h>

struct frame { unsigned long ip, cs, flags, sp, ss; };
static volatile unsigned long seen_code, count, misaligned;
register unsigned long stack_pointer __asm__("rsp");

__attribute__((noinline)) static long busy(long a, long b, long c, long d, long e, long f) {
  long array[8] = {a, b, c, d, e, f, a ^ b, c ^ d};
  for (int i = 0; i < 8; i++) count += array[i] * i;
  misaligned |= (unsigned long)__builtin_frame_address(0) & 15;
  return count;
}
__attribute__((interrupt, used)) static void plain(struct frame *frame) {
  long local[3] = {1, 2, 3};
  __asm__ volatile("std" : : "r"(local) : "memory");
  __asm__ volatile("cld");
  busy(1, 2, 3, local[2], 5, 6);
  frame->flags |= 1; /* carry, for who was interrupted */
}
__attribute__((interrupt, used)) static void coded(struct frame *frame, unsigned long code) {
  seen_code = code;
  int aligned __attribute__((aligned(64))) = 5;
  misaligned |= (unsigned long)&aligned & 63;
  busy(aligned, 2, 3, 4, 5, frame->ip != 0);
}

#define RAISE(handler, code)                                          \
  "mov %%rsp, %%r15\n\t"                                              \
  "sub $128, %%rsp\n\t"                                               \
  "mov %%ss, %%r14\n\t push %%r14\n\t push %%r15\n\t pushf\n\t"       \
  "mov %%cs, %%r14\n\t push %%r14\n\t lea 1f(%%rip), %%r14\n\t"       \
  "push %%r14\n\t" code "jmp " handler "\n1:\n\t"

#define CHECK(handler, code)                                                                                     \
  ({                                                                                                             \
    register long r10 __asm__("r10") = 10, r11 __asm__("r11") = 11;  \
    long a = 1, c = 3, d = 4, s = 5;                                                               \
    unsigned char carry;                                                                                         \
    __asm__ volatile("clc\n\t" RAISE(handler, code) "setc %%r15b\n\t mov %%r15b, carried(%%rip)"                 \
                     : "+a"(a), "+c"(c), "+d"(d), "+S"(s), "+r"(r10), "+r"(r11)                                                                                 \
                     :                                                                                           \
                     : "r14", "r15", "memory", "cc");                                                            \
    a + 100 * c + 1000 * d + 10000 * s + 100000 * r10 + 1000000 * r11;                              \
  })

__attribute__((used)) static unsigned char carried;

__attribute__((noinline)) static long depth(void) { return stack_pointer - (unsigned long)__builtin_frame_address(0); }

int main(void) {
  long plain_kept = CHECK("plain", ""), carry = carried;
  long coded_kept = CHECK("coded", "push $77\n\t");
  printf("%ld %ld %ld %d\n", plain_kept, coded_kept, carry, carried);
  printf("%lu %lu %lu\n", seen_code, count, misaligned);
  printf("%d\n", depth() <= 0 && depth() > -200);
  return 0;
}
