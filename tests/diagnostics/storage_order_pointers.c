// Pointers between structures with different orders of bytes.
#include <stdlib.h>
#include <string.h>
struct __attribute__((scalar_storage_order("big-endian"))) big { int x; };
struct little { int x; };
void take(void *p);
void fill(struct big *p);

void *g(struct big *b, void *any) {
  take(b);
  fill(any);
  memset(b, 0, sizeof *b);
  struct big *made = malloc(sizeof *made), *given = any;
  any = b;
  b = 0;
  return made ? made : given;
}
