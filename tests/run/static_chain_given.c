// interpreter: reads a register
// llvm: a call with a static chain of the program's
// __builtin_call_with_static_chain, and register variables that nothing sets.
#include <stdio.h>

struct Big {
  long v[5];
};

static long outer_values[3] = {10, 20, 30};

__attribute__((noinline)) static void *read_chain(void) {
  register void *chain __asm__("%r10");
  return chain;
}

__attribute__((noinline)) static struct Big big_with_chain(int a, struct Big b) {
  register long *chain __asm__("r10");
  long *p = chain;
  b.v[0] += a + p[0];
  return b;
}

static void chains(void) {
  void *(*volatile pointer)(void) = read_chain;
  struct Big big = {{1, 2, 3, 4, 5}};
  printf("%d %d\n", __builtin_call_with_static_chain(pointer(), outer_values) == (void *)outer_values,
         __builtin_call_with_static_chain((*pointer)(), &outer_values[1]) == (void *)&outer_values[1]);
  struct Big (*volatile to_big)(int, struct Big) = big_with_chain;
  struct Big got = __builtin_call_with_static_chain(to_big(7, big), outer_values);
  printf("%ld %ld\n", got.v[0], got.v[4]);

  // What a nested function looks at is what it is given.
  long local[2] = {100, 200};
  long take(int i) { return local[i] + i; }
  printf("%ld\n", take(1));
}

int main(void) { chains(); }
