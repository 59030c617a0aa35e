/* Ranges inside ranges, bit-fields and strings under designators, values that replace parts of earlier ones. */
#include <stdio.h>

struct pair { int a, b : 5, c; };
struct named { char name[6]; int number; };
struct deep { int head; struct { int before, k[3], after; } rows[3]; int tail; };

static int grid[2][3] = {[0 ... 1] = {[0 ... 2] = 5}};
static int part[3][4] = {[0 ... 1] = {[1 ... 2] = 7}, [1][2] = 8};
static int direct[3][2] = {[0 ... 2][0 ... 1] = 27};
static int cube[2][3][4] = {[0 ... 1][1 ... 2][1 ... 3] = 9};
static struct pair pairs[4] = {[1 ... 2].b = -3, [0 ... 3].c = 4};
static struct pair copies[2][2] = {[0 ... 1] = {[0 ... 1] = (struct pair){1, 2, 3}}};
static struct named names[] = {{{"foo"}, 1}, {"bar", 2}, [0].name[0] = 'b'};
static struct named again[] = {{{"quux"}, 1}, [0] = {.name[1] = 'x'}};
static struct deep deep[2] = {[0 ... 1].rows[1 ... 2].k[0 ... 1] = 4};

static struct deep further[] = {[0 ... 1].rows[0 ... 1].k[0 ... 1] = 4, 5, 6, {1, {2}, 3}, 9};

static void show(const char *what, const void *p, int count) {
  printf("%s", what);
  for (int i = 0; i < count; i++) printf(" %d", ((const int *)p)[i]);
  printf("\n");
}

int main(void) {
  int local[2][3] = {[0 ... 1] = {[0 ... 1] = 6}};
  struct pair some[3] = {[0 ... 2].b = 3};
  struct named l[] = {{{"foo"}, 1}, [0].name[2] = 'g'};
  struct deep d[2] = {[0 ... 1].rows[1 ... 2].k[0 ... 1] = 6, 7, 8};
  show("grid", grid, 6);
  show("part", part, 12);
  show("direct", direct, 6);
  show("cube", cube, 24);
  for (int i = 0; i < 4; i++) printf("%d %d %d;", pairs[i].a, pairs[i].b, pairs[i].c);
  for (int i = 0; i < 4; i++) printf("%d %d %d;", copies[i / 2][i % 2].a, copies[i / 2][i % 2].b, copies[i / 2][i % 2].c);
  printf("\n%s %d %s %d %d%s %d\n", names[0].name, names[0].number, names[1].name, names[1].number, again[0].name[0],
         again[0].name + 1, again[0].number);
  show("deep", deep, sizeof deep / sizeof(int));
  show("further", further, sizeof further / sizeof(int));
  show("local", local, 6);
  for (int i = 0; i < 3; i++) printf("%d %d %d;", some[i].a, some[i].b, some[i].c);
  printf("\n%s %d\n", l[0].name, l[0].number);
  show("d", d, sizeof d / sizeof(int));
  return 0;
}
