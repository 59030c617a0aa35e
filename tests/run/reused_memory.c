// Uses of memory that compilers support and that checks could take for wrong ones: blocks with
// another type than before, parts that nobody reads, marked and inner pointers.
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct padded { char kind; long value; unsigned low : 3, high : 9; };
typedef int four __attribute__((vector_size(16)));

static unsigned char arena[256];
static size_t used;

static void *take(size_t size) {
  void *block = arena + used;
  used += (size + 15) & ~(size_t)15;
  return memset(block, 0, size);
}

static unsigned hash(const void *data, size_t size) {
  unsigned h = 17;
  for (const unsigned char *p = data; size--; p++)
    h = h * 31 + *p;
  return h;
}

static struct padded half_filled(char kind) {
  struct padded p;
  p.kind = kind;
  p.high = 300;
  p.high += 7;
  return p;
}

int main(void) {
  // A block of the heap as integers, then as floating-point numbers, then as a structure.
  void *block = malloc(64);
  for (int i = 0; i < 16; i++)
    ((int *)block)[i] = i;
  float *floats = block;
  for (int i = 0; i < 16; i++)
    floats[i] = (float)i / 2;
  printf("%g ", floats[15]);
  memset(block, 0, 64);
  long zero = *(long *)block;
  printf("%ld ", zero);
  struct padded copy = half_filled('x'), again = copy;
  memcpy(block, &again, sizeof again);
  printf("%c%u\n", ((struct padded *)block)->kind, ((struct padded *)block)->high);
  free(block);

  // The same in an array of characters.
  double *d = take(sizeof *d);
  *d = 1.5;
  used = 0;
  int *n = take(sizeof *n);
  printf("%d %u\n", *n + 1, hash(d, sizeof *d));

  // Vectors that are made lane by lane.
  four v = {1, 2};
  for (int i = 0; i < 4; i++)
    v[i] += i;
  four w = __builtin_shuffle(v, v ^ v, (four){3, 7, 0, 4});
  printf("%d %d %d %d\n", w[0], w[1], w[2], w[3]);

  // Only the middle of a block, and a marked pointer, are known.
  char *text = malloc(8);
  strcpy(text, "inner");
  static uintptr_t marked;
  marked = (uintptr_t)(text + 2) | 1;
  text = 0;
  printf("%s\n", (char *)(marked - 1));

  // A variable that is set after setjmp.
  jmp_buf buffer;
  volatile int tries = 0;
  if (setjmp(buffer) < 3) {
    tries++;
    longjmp(buffer, tries);
  }
  printf("%d\n", tries);

  // A loop that jumps into and out of a scope.
  int i = 0;
again:
  if (i < 3) {
    int inner = i;
    int *p = &inner;
    i += *p + 1;
    goto again;
  }
  int sum = 0;
  for (int k = 0; k < 3; k++) {
    int *p = (int[2]){k, k + 1};
    sum += p[0] * p[1];
  }
  printf("%d %d\n", i, sum);
  return 0;
}
