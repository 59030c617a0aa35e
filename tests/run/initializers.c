#include <stdio.h>
#include <string.h>

struct point { int x, y; };
struct rect { struct point a, b; char name[8]; };
union v { int i; double d; char c[12]; };

static int arr[10] = { [2] = 5, 6, [8] = 1, [0] = 9 };
static int ranged[8] = { [1 ... 3] = 7, [5 ... 6] = 8 };
static struct rect rects[] = { [1] = { .b = { 3, 4 }, .a.x = 1, .name = "two" }, [0].a = { 5, 6 }, [0].name = { 'h', 'i' } };
static char text[] = "hello", fixed[4] = "four", padded[10] = "pad";
static const char *names[] = { "a", "bb", [4] = "eeeee" };
static union v u1 = { 65 }, u2 = { .d = 2.5 }, u3 = { .c = "union" };
static int (*matrix)[3] = (int[2][3]){ { 1, 2, 3 }, { 4, 5, 6 } };
static struct point *pp = &(struct point){ 11, 12 };
static int nested[2][2][2] = { 1, 2, 3, 4, 5, 6, 7 };
static int partly[3][3] = { { 1 }, { 2, 3 }, [2][2] = 9 };
static int self = sizeof self, *ptr = &arr[3], *end = arr + 10;
static long diff = (long)&((struct rect *)0)->name;
struct flex { int n; int data[]; };
static struct flex fl = { 3, { 1, 2, 3 } };
static struct { struct { int a, b; }; int c; } anon = { 1, 2, 3 }, anon2 = { .b = 5, .c = 6 };
static unsigned char bytes[] = { [255] = 1 };
static int *unused;
static int over[] = { [3] = 1, [3] = 2, [1] = 4 };
static const int table[3] = { 'a' + 1, sizeof(long) * 2, -1 > 0u };
static double dd[] = { 1, 2.5f, -3L, 'c' };
static int *null_ptr = 0, *null_arr[2];

static int f(int x) { return x * 3; }

int main(void) {
  for (int i = 0; i < 10; i++)
    printf("%d ", arr[i]);
  for (int i = 0; i < 8; i++)
    printf("%d ", ranged[i]);
  printf("\n");
  for (int i = 0; i < 2; i++)
    printf("%d %d %d %d %s\n", rects[i].a.x, rects[i].a.y, rects[i].b.x, rects[i].b.y, rects[i].name);
  printf("%zu %.4s %s %d\n", sizeof text, fixed, padded, padded[9]);
  printf("%s %s %d %s %zu\n", names[0], names[1], names[2] == 0, names[4], sizeof names / sizeof *names);
  printf("%d %g %s\n", u1.i, u2.d, u3.c);
  printf("%d %d %d\n", matrix[1][2], pp->x, pp->y);
  for (int i = 0; i < 8; i++)
    printf("%d ", ((int *)nested)[i]);
  for (int i = 0; i < 9; i++)
    printf("%d ", ((int *)partly)[i]);
  printf("\n%d %d %ld %ld\n", self, *ptr, (long)(end - arr), diff);
  printf("%d %d\n", fl.n, fl.data[2]);
  printf("%d %d %d %d %d\n", anon.a, anon.b, anon.c, anon2.a, anon2.b);
  printf("%zu %d %d %d\n", sizeof bytes, over[3], over[1], over[0]);
  printf("%d %d %d %g %g\n", table[0], table[1], table[2], dd[2], dd[3]);
  printf("%d %d\n", null_ptr == 0, null_arr[1] == 0 && unused == 0);
  int n = f(4), loc[5] = { n, [3] = f(n), n + 1 };
  struct rect r = { .a = { n }, .name = "local", .b.y = f(2) };
  struct rect copy = { .a = r.a, .b = r.b };
  printf("%d %d %d %d %d\n", loc[0], loc[1], loc[3], loc[4], loc[2]);
  printf("%d %d %d %s %s|\n", copy.a.x, copy.a.y, copy.b.y, r.name, copy.name);
  struct point ps[] = { { 1, 2 }, (struct point){ 3, 4 }, *pp, [4] = { .y = 9 } };
  for (unsigned i = 0; i < sizeof ps / sizeof *ps; i++)
    printf("(%d %d)", ps[i].x, ps[i].y);
  char loc_text[] = { "abc" "def" }, big[300] = "x";
  printf("%zu %d %s\n", sizeof loc_text, big[299], loc_text);
  for (int i = 0; i < 2; i++) {
    int fresh[3] = { [1] = i };
    printf("%d%d%d ", fresh[0]++, fresh[1]++, fresh[2]++);
  }
  int x = { 5 }, *px = { &x };
  struct empty { } e = {};
  (void)e;
  printf("%d\n", *px + (int){ 6 } + ((struct point){ 7, 8 }).y);
  return 0;
}
