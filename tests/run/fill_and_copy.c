/* Loops that are block operations: counters up and down, pointers, inclusive bounds, bounds that let nothing run. */
#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
static unsigned char bytes[64];
static short words[64];

NOINLINE static void fill_long(char *p, long n) { for (long i = 0; i < n; i++) p[i] = 1; }
NOINLINE static void fill_unsigned(char *p, unsigned n) { for (unsigned i = 0; i < n; i++) p[i] = 2; }
NOINLINE static void fill_inclusive(short *p, int last) { for (int i = 0; i <= last; i++) p[i] = -1; }
NOINLINE static void fill_pointers(char *p, char *end, int c) { while (p != end) *p++ = c; }
NOINLINE static void fill_below(char *p, char *end) { for (; p < end; p++) *p = 4; }
NOINLINE static void copy_down(long *restrict p, const long *restrict q, int n) { while (n-- > 0) *p++ = *q++; }
NOINLINE static void copy_up(char *restrict p, const char *restrict q, unsigned long n) { for (unsigned long i = 0; i < n; i++) p[i] = q[i]; }
NOINLINE static void shift(char *p, int n) { for (int i = 0; i < n; i++) p[i + 1] = p[i]; }
NOINLINE static void from_five(char *p, int n) { for (int i = 5; i < n; i++) p[i] = 5; }
NOINLINE static void at_least_once(char *p, int n) { int i = 0; do p[i] = 6; while (++i < n); }

static unsigned digest(const void *p, unsigned size) {
  unsigned sum = 0;
  for (unsigned i = 0; i < size; i++) sum = sum * 31 + ((const unsigned char *)p)[i];
  return sum;
}
static void show(const char *what, int n) {
  printf("%s(%d) %08x %08x\n", what, n, digest(bytes, sizeof bytes), digest(words, sizeof words));
  for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = i * 7;
  memset(words, 0, sizeof words);
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 7, 8, 33, 40};
  static long from[8] = {9, 8, 7, 6, 5, 4, 3, 2}, to[8];
  char *p = (char *)bytes;
  for (int k = 0; k < 7; k++) {
    int n = sizes[k];
    fill_long(p, n), show("long", n);
    fill_long(p, -n), show("long", -n);
    fill_unsigned(p, n), show("unsigned", n);
    fill_inclusive(words, n - 2), show("inclusive", n);
    fill_pointers(p + 3, p + 3 + n, n), show("pointers", n);
    fill_below(p + 9, p + n), show("below", n);
    copy_down(to, from, n % 9 - 1), show("down", (int)digest(to, sizeof to));
    copy_up(p + 10, (char *)from, n), show("up", n);
    shift(p, n), show("shift", n);
    from_five(p, n), show("five", n);
    at_least_once(p, n), show("once", n);
  }
  return 0;
}
