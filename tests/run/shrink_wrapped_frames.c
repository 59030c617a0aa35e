// flags: -fexceptions
// interpreter: unwinding
// llvm: unwinding
/* Functions that return early without having set up a frame: callee-saved registers keep their callers' values on every path, stack arguments are
   found with and without the frame, and the stack can be walked from below, with the registers of every frame intact. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unwind.h>

#define NOINLINE __attribute__((noinline))

struct tree { struct tree *left, *right; long key, value; };

/* Walks the stack and says how many frames there are up to the one that holds `limit`. */
static char *limit;
static int frames;
static _Unwind_Reason_Code count(struct _Unwind_Context *context, void *data) {
  if ((char *)_Unwind_GetCFA(context) > limit) return _URC_END_OF_STACK;
  ++*(int *)data;
  return _URC_NO_REASON;
}
static NOINLINE int depth(void) {
  int found = 0;
  _Unwind_Backtrace(count, &found);
  return found;
}

/* An exit on a null pointer, registers that live across calls behind it. */
static NOINLINE long sum(const struct tree *t, long level) {
  if (!t) return level;
  frames = depth();
  long left = sum(t->left, level + 1);
  long right = sum(t->right, level + 2);
  return left * 3 + right + t->key * level;
}

/* A loop in front of the frame, several exits, one of them shared with the path that has a frame. */
static NOINLINE long find(const struct tree *t, long key, long (*missing)(const struct tree *, long)) {
  const struct tree *last = 0;
  while (t) {
    if (t->key == key) return t->value;
    last = t;
    t = key < t->key ? t->left : t->right;
  }
  if (!last) return -1;
  long first = missing(last, key);
  long second = missing(last, key + 1);
  return first + second * key;
}
static NOINLINE long missing(const struct tree *t, long key) { frames = depth(); return t->key - key; }

/* Arguments on the stack, read with and without the frame. */
static NOINLINE long many(long a, long b, long c, long d, long e, long f, long g, long h, long (*use)(long)) {
  if (g < 0) return h - g;
  long x = use(a + h), y = use(b + g);
  return x * c + y * d + e * f + g * h;
}
static NOINLINE long use(long x) { frames = depth(); return x * 5 + 1; }

/* Two ways inside. */
static NOINLINE long two_ways(long a, long b, long (*f)(long)) {
  if (a == b) return a;
  if (a < b) return f(a) + f(b) - a;
  if (a == 100) return b;
  return f(b) * f(a) + b;
}

/* Division and wide multiplication in front of the frame. */
static NOINLINE unsigned long gcd_like(unsigned long a, unsigned long b, long (*f)(long)) {
  if (b == 0) return a;
  unsigned long q = a / b, r = a % b;
  if (r == 0) return b + q;
  unsigned __int128 wide = (unsigned __int128)a * b;
  if ((unsigned long)(wide >> 64)) return (unsigned long)(wide >> 64) ^ a;
  return f(q) + f(r) * a + b;
}

/* Leaves by a tail call where there is no frame. */
static NOINLINE long tail(long a, long b, long (*f)(long)) {
  if (a > b) return f(a - b);
  long x = f(a);
  return f(b) + x + a;
}

/* Unwinds through all of it: callee-saved registers of this frame must come back. */
static jmp_buf caught;
static struct _Unwind_Exception exception;
static _Unwind_Reason_Code stop(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                struct _Unwind_Exception *e, struct _Unwind_Context *context, void *data) {
  if ((actions & _UA_END_OF_STACK) || (char *)_Unwind_GetCFA(context) > limit) longjmp(caught, 1);
  return _URC_NO_REASON;
}
static int cleaned;
static void clean(long *p) { cleaned += *p; }
static NOINLINE long thrower(long x) {
  if (x < 1000) return x;
  _Unwind_ForcedUnwind(&exception, stop, 0);
  return 0;
}
static NOINLINE long through(long depth, long x) {
  if (depth < 0) return thrower(x);
  __attribute__((cleanup(clean))) long mine = depth;
  long r = through(depth - 1, x) + depth * x;
  return r ^ mine;
}

/* Keeps six values in registers across a call and gives what became of them. */
static NOINLINE long keeps(long a, long b, long c, long d, long e, long f, const struct tree *t, int way) {
  long r = 0;
  for (int i = 0; i < 3; i++) {
    switch (way) {
    case 0: r += sum(t, i); break;
    case 1: r += find(t, i, missing); break;
    case 2: r += many(a, b, c, d, e, f, i - 1, b, use); break;
    case 3: r += two_ways(i, 1, use) + two_ways(100, i, use); break;
    case 4: r += gcd_like(a * 12, i * 5, use) + gcd_like(~0ul - i, ~0ul >> i, use); break;
    default: r += tail(i, 1, use) + through(i, 7); break;
    }
    a += r, b ^= a, c -= b, d += c, e ^= d, f += e;
  }
  return a + b * 3 + c * 5 + d * 7 + e * 11 + f * 13;
}

int main(int argc, char **argv) {
  char here;
  limit = &here + 4096;
  struct tree leaves[4] = {{0, 0, 1, 10}, {0, 0, 3, 30}, {0, 0, 5, 50}, {0, 0, 7, 70}};
  struct tree inner[2] = {{&leaves[0], &leaves[1], 2, 20}, {&leaves[2], &leaves[3], 6, 60}};
  struct tree root = {&inner[0], &inner[1], 4, 40};
  for (int way = 0; way < 6; way++) {
    frames = 0;
    long result = keeps(argc, 2, 3, 4, 5, 6, &root, way);
    printf("%d: %ld %s\n", way, result, frames > 1 ? "walked" : "not walked");
  }
  printf("%ld %ld\n", sum(0, 9), find(0, 1, missing));
  if (!setjmp(caught)) through(5, 1000 + argc);
  printf("cleaned %d\n", cleaned);
  return 0;
}
