// flags: -ffixed-rbx -ffixed-r12 -ffixed-r13 -ffixed-r14 -ffixed-r15
// llvm: reserved registers
// The buffer's address is in the frame pointer's register when the jump restores that.
#include <stdio.h>

static void *buffer[5];
static int calls;

__attribute__((noinline)) static void count(void) { calls++; }

__attribute__((noipa)) static void jump(void **to) {
  count();
  __builtin_longjmp(to, 1);
}

int main(void) {
  volatile int rounds = 0;
  if (__builtin_setjmp(buffer))
    rounds++;
  if (rounds < 3)
    jump(buffer);
  printf("%d %d\n", rounds, calls);
  return 0;
}
