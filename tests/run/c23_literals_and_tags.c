// like-gcc: gcc 12 has no compound literals with a storage class
// flags: -std=gnu2x
// C23: storage classes of compound literals; structures of one tag with equal members are one type in every scope.
#include <stdio.h>

static int *counter(void) { return (static int[]){10, 20}; }
static int *local(void) { return &(thread_local static int){7}; }

struct node { int value; struct node *next; };
static int sum(struct node n) { return n.value + (n.next ? n.next->value : 0); }

static struct pair { int a, b; } make(int a, int b) { return (struct pair){a, b}; }

static const int table[(constexpr int){3}] = {1, 2, (constexpr int){3} + 1};
constexpr struct { int x; double y; } constant = {4, 2.5};

int main(void) {
  counter()[0]++;
  ++*local();
  printf("%d %d %d\n", counter()[0], counter()[1], *local());
  printf("%zu %d %d %g\n", sizeof table / sizeof *table, table[2], constant.x, constant.y);
  struct node { int value; struct node *next; } a = {1, 0}, b = {2, &a};
  printf("%d\n", sum(b));
  {
    struct node { int value; struct node *next; } c = {5, &b};
    struct node *p = &c;
    b = *p;
    printf("%d %d\n", sum(c), b.next == &b);
  }
  struct pair { int a, b; } q = make(8, 9);
  int total = 0;
  for (int i = 0; i < 3; i++) {
    total += (register int){i} + (constexpr int){100};
  }
  printf("%d %d %d\n", q.a, q.b, total);
  switch (3) {
  case (constexpr int){3}: printf("three\n");
  }
  return 0;
}
