#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>

struct list {
  size_t count;
  short tag;
  int items[];
};

struct zero {
  int n;
  char data[0];
};

struct text {
  unsigned char length;
  char bytes[];
};

static struct list *make(size_t n) {
  struct list *l = malloc(sizeof *l + n * sizeof l->items[0]);
  l->count = n;
  l->tag = -1;
  for (size_t i = 0; i < n; i++)
    l->items[i] = (int)(i * i);
  return l;
}

static struct text hello = { 5, "hello" };
static struct { int n; struct { int a, b; } rows[]; } table = { 2, { { 1, 2 }, { 3, 4 } } };

int main(void) {
  struct list *l = make(10);
  int s = 0;
  for (size_t i = 0; i < l->count; i++)
    s += l->items[i];
  printf("%d %zu %zu\n", s, sizeof *l, offsetof(struct list, items));
  struct list copy = *l;
  printf("%zu %d\n", copy.count, copy.tag);
  free(l);
  struct zero *z = malloc(sizeof *z + 6);
  strcpy(z->data, "zeros");
  printf("%s %zu\n", z->data, sizeof *z);
  free(z);
  printf("%s %d %d\n", hello.bytes, hello.length, table.rows[1].b);
  return 0;
}
