// flags: -w
// __builtin_has_attribute of types, declarations and members; the attribute copy.
#include <stdio.h>

#define ATTR(...) __attribute__((__VA_ARGS__))
#define HAS(what, ...) printf("%d", __builtin_has_attribute(what, __VA_ARGS__))

struct ATTR(aligned(16)) wide { int i; };
struct ATTR(packed) tight { char c; int i; };
typedef int aligned_int ATTR(aligned(32));
typedef float four ATTR(vector_size(16));
struct mixed { char c; ATTR(packed) int p; ATTR(aligned(8)) char a; int n; } m;

int plain, ATTR(aligned(64)) apart;
int ATTR(section(".data.other")) placed = 1;
ATTR(pure, nonnull(1), format(printf, 2, 3)) int first(const char *s, const char *f, ...);
ATTR(noreturn) void leave(void);
_Noreturn void leave_too(void);
ATTR(copy(leave)) void leave_as_well(void);
ATTR(copy(first)) int second(const char *s, const char *f, ...);
ATTR(alloc_size(1, 2), malloc) void *get(unsigned long n, unsigned long size);

static int calls;
static int bound(void) { return ++calls; }

/* packed comes along from the type, the type behind a pointer too */
struct tight *pointer;
struct copied { char c; ATTR(copy((struct tight *)0)) int i; ATTR(copy(*pointer)) short s; };
int ATTR(copy(apart)) also_apart;

int main(void) {
  HAS(struct wide, aligned), HAS(struct wide, aligned(16)), HAS(struct wide, aligned(8)), HAS(struct tight, aligned);
  HAS(struct tight, packed), HAS(struct wide, packed), HAS(aligned_int, aligned(32)), HAS(int, aligned);
  HAS(four, vector_size), HAS(four, vector_size(16)), HAS(four, vector_size(8)), HAS(int, vector_size);
  putchar('\n');
  HAS(m.p, packed), HAS(m.n, packed), HAS(m.a, aligned), HAS(m.n, aligned), HAS(m, packed);
  HAS(plain, aligned), HAS(apart, aligned), HAS(apart, aligned(64)), HAS(apart, aligned(32)), HAS(placed, section);
  putchar('\n');
  HAS(first, pure), HAS(first, const), HAS(first, nonnull), HAS(first, nonnull(1)), HAS(first, nonnull(2));
  HAS(first, format), HAS(first, format(printf, 2, 3)), HAS(first, format(scanf, 2, 3)), HAS(first, section);
  HAS(leave, noreturn), HAS(leave_as_well, noreturn), HAS(second, pure), HAS(second, nonnull(1)), HAS(second, noreturn);
  HAS(get, alloc_size), HAS(get, malloc), HAS(get, alloc_size(1, 2)), HAS(get, alloc_size(1));
  putchar('\n');
  HAS(int[bound()], aligned);
  printf(" %d %d %d %d\n", calls, (int)sizeof(struct copied), (int)((unsigned long)&also_apart % 64), (int)_Alignof(also_apart));
  return 0;
}
