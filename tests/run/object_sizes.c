// llvm: object sizes are answered by optimisation
/* __builtin_object_size and __builtin_dynamic_object_size where data flow decides; without an optimiser they are unknown. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parts { char head[10]; int number; char tail[6]; };
struct flexible { int n; char data[]; };
union either { struct parts p; char bytes[64]; };
static struct parts whole, many[3];
static struct flexible filled = {1, "01234"};
static int failures;

#ifdef __OPTIMIZE__
#define EXPECT(size, value) \
  do { \
    if ((size) != (size_t)(value)) { failures++; printf("line %d: %zd\n", __LINE__, (ssize_t)(size)); } \
  } while (0)
#else
#define EXPECT(size, value) ((void)sizeof((size) == (size_t)(value)))
#endif
#define SIZE __builtin_object_size
#define DYNAMIC __builtin_dynamic_object_size

__attribute__((noinline, alloc_size(2))) void *allocate(int tag, unsigned n) { return tag ? malloc(n) : 0; }
__attribute__((noinline, alloc_size(1, 2))) void *table(int rows, short columns) { return calloc(rows, columns); }

__attribute__((noinline)) void merged(int c, char *unknown) {
  char local[20];
  char *p = c ? &whole.head[4] : &local[1];
  char *q = c ? whole.tail : many[1].tail;
  EXPECT(SIZE(p, 0), 20);
  EXPECT(SIZE(p, 1), 19);
  EXPECT(SIZE(p, 2), 19);
  EXPECT(SIZE(p, 3), 6);
  EXPECT(SIZE(q, 1), 6);
  EXPECT(SIZE(q + 2, 1), 4);
  EXPECT(SIZE(q, 2), 8);
  EXPECT(DYNAMIC(p, 0), c ? 20 : 19);
  EXPECT(DYNAMIC(p, 1), c ? 6 : 19);
  p = c ? p : unknown;
  EXPECT(SIZE(p, 0), -1);
  EXPECT(SIZE(p, 2), 0);
  EXPECT(DYNAMIC(p, 0), -1);
}

__attribute__((noinline)) void looped(int n) {
  char buffer[32], *p = buffer;
  for (int i = 0; i < n; i++) {
    if (SIZE(p, 0) != 32 && SIZE(p, 0) != (size_t)-1) failures++;
    EXPECT(DYNAMIC(p, 0), 32 - 3 * i);
    memset(p, i, 3);
    p += 3;
  }
}

__attribute__((noinline)) void allocated(int n, unsigned m) {
  char *p = allocate(1, m), *q = table(n, 5), vla[n + 3];
  char *r = strcpy(malloc(16), "text");
  EXPECT(SIZE(p, 0), -1);
  EXPECT(DYNAMIC(p, 0), m);
  EXPECT(DYNAMIC(p + 2, 0), m - 2);
  EXPECT(DYNAMIC(p + m + 1, 0), 0);
  EXPECT(DYNAMIC(q + n, 1), 4 * n);
  EXPECT(DYNAMIC(vla, 0), n + 3);
  EXPECT(DYNAMIC(&vla[n], 2), 3);
  EXPECT(SIZE(r, 0), 16);
  EXPECT(SIZE(r + 4, 2), 12);
  EXPECT(SIZE(allocate(0, 12), 0), -1);
  free(p), free(q), free(r);
}

__attribute__((noinline)) void members(struct parts *p, struct flexible *f, union either *u, int i) {
  EXPECT(SIZE(p->head, 0), -1);
  EXPECT(SIZE(p->head, 1), 10);
  EXPECT(SIZE(&p->head[3], 1), 7);
  EXPECT(SIZE(&p->number, 1), 4);
  EXPECT(SIZE(p->tail, 1), -1);
  EXPECT(SIZE(f->data, 1), -1);
  EXPECT(SIZE(u->p.head, 1), 10);
  EXPECT(SIZE(u->bytes, 1), -1);
  EXPECT(DYNAMIC(&p->head[i], 1), 10 - i);
  p = malloc(sizeof *p - 2);
  EXPECT(SIZE(p->tail, 1), sizeof *p - 2 - __builtin_offsetof(struct parts, tail));
  EXPECT(SIZE(&p->number, 3), 4);
  free(p);
}

int main(void) {
  volatile int one = 1;
  merged(one, &whole.head[0]);
  merged(!one, 0);
  looped(5 * one);
  allocated(7 * one, 9 * one);
  members(&whole, 0, 0, 4 * one);
  EXPECT(SIZE(&whole, 0), sizeof whole);
  EXPECT(SIZE(&many[1].tail[2], 0), sizeof many - sizeof *many - __builtin_offsetof(struct parts, tail) - 2);
  EXPECT(SIZE(&many[1].tail[2], 1), 4);
  EXPECT(SIZE(&whole.tail[-2], 0), sizeof whole - __builtin_offsetof(struct parts, tail) + 2);
  size_t constant = __builtin_object_size(whole.head, 1);
  // What the declarations say is known without an optimiser, too.
  if (SIZE(&filled, 0) != 10 || SIZE(&filled.data, 1) != 6 || SIZE(&filled.data[2], 0) != 4) { failures++; }
  printf("%zu %d\n", constant, failures);
  return 0;
}
