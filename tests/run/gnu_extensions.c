#include <stdio.h>

static int calls;
static int get(int v) {
  calls++;
  return v;
}

static inline __attribute__((always_inline)) int twice(int x) { return x * 2; }

struct outer {
  int a;
  struct {
    int b;
    union {
      int c;
      float d;
    };
  };
};

typedef struct { int x; } anonymous;

enum big { SMALL = -1, LARGE = 0x100000000 };

static int local_label(int x) {
  __label__ out;
  if (x > 3)
    goto out;
  x += 100;
out:
  return x;
}

static void *arith(void *p, int n) { return p + n; }

int main(void) {
  printf("%d %d\n", get(5) ?: 9, get(0) ?: 9);
  printf("%d\n", calls);
  __auto_type v = 2.5;
  __typeof__(v) w = v * 2;
  typeof(int[3]) arr = { 1, 2, 3 };
  __typeof__(twice(1)) t = twice(21);
  printf("%g %d %d\n", w, arr[2], t);
  struct outer o = { .a = 1, .b = 2, .c = 3 };
  printf("%d %d %d\n", o.a, o.b, o.c);
  printf("%zu %zu %d\n", sizeof(void), sizeof(get), LARGE > 0 && sizeof(enum big) == 8);
  printf("%d %d\n", local_label(1), local_label(5));
  char buf[4] = "abc";
  printf("%c\n", *(char *)arith(buf, 2));
  printf("%d %d\n", __builtin_types_compatible_p(int, signed), __builtin_types_compatible_p(int, long));
  printf("%d\n", __builtin_choose_expr(1, 5, "x"));
  printf("%d %d\n", __builtin_constant_p(3 + 4), __alignof__(double));
  const char *f = __FUNCTION__;
  printf("%s %s\n", f, __PRETTY_FUNCTION__);
  printf("%d\n", 0b1011);
  return 0;
}
