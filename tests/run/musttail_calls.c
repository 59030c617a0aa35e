// like-gcc: gcc 12 has no musttail
// interpreter flags: -DMANY=1000
// llvm: guaranteed tail calls are not exported as such
// flags: -w
// `musttail`: a million calls deep in one frame, at every level.
#include <stdio.h>

#ifndef MANY
#define MANY 1000000
#endif

struct pair { long a, b; };
struct large { long v[5]; };

static int odd(unsigned n, int *steps);
static __attribute__((noinline)) int even(unsigned n, int *steps) {
  int local[16];
  local[n % 16] = n;
  ++*steps;
  if (n == 0) return local[0] + 1;
  __attribute__((musttail)) return odd(n - 1, steps);
}
static __attribute__((noinline)) int odd(unsigned n, int *steps) {
  ++*steps;
  if (n == 0) return 0;
  [[gnu::musttail]] return even(n - 1, steps);
}

__attribute__((noinline)) void down(unsigned n, double x, double *out) {
  if (n == 0) { *out = x; return; }
  [[clang::musttail]] return down(n - 1, x + 0.5, out);
}

__attribute__((noinline)) struct pair two(unsigned n, long a, long b) {
  if (n == 0) return (struct pair){a, b};
  __attribute__((musttail)) return two(n - 1, b, a + 1);
}

__attribute__((noinline)) struct large many(unsigned n, long a) {
  if (n == 0) return (struct large){{a, a + 1, a + 2, a + 3, a + 4}};
  __attribute__((musttail)) return many(n - 1, a + 2);
}

typedef long step(const unsigned char *code, long acc);
static step add, twice, stop;
static step *const table[] = {stop, add, twice};
static long add(const unsigned char *code, long acc) { acc += code[1]; code += 2; __attribute__((musttail)) return table[*code](code, acc); }
static long twice(const unsigned char *code, long acc) { acc *= 2; code++; __attribute__((musttail)) return table[*code](code, acc); }
static long stop(const unsigned char *code, long acc) { return acc; }

int main(void) {
  int steps = 0;
  printf("%d", even(3 * MANY, &steps));
  printf(" %d\n", steps - 3 * MANY);
  double out;
  down(2 * MANY, 0, &out);
  printf("%g\n", out - MANY);
  struct pair p = two(2 * MANY + 1, 1, 2);
  struct large l = many(MANY, 1);
  printf("%ld %ld %ld %ld\n", p.a - MANY, p.b - MANY, l.v[0] - 2 * MANY, l.v[4] - 2 * MANY);
  static unsigned char program[2 * MANY + 1];
  long sum = 0;
  for (int i = 0; i < 2 * MANY; i += 2) sum += i % 7, program[i] = 1, program[i + 1] = i % 7;
  sum -= program[2 * MANY - 1];
  program[2 * MANY - 2] = program[2 * MANY - 1] = 2;
  printf("%d\n", table[program[0]](program, 0) == 4 * sum);
  return 0;
}
