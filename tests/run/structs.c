#include <stdio.h>
#include <stddef.h>

struct point { int x, y; };
struct line { struct point a, b; };
struct node { struct node *next; struct point p; };
struct mixed { char c; double d; short s; int i; char t[3]; long l; };
typedef struct { struct line lines[2]; int count; } shape;

static struct point add(struct point a, struct point b) { return (struct point){ a.x + b.x, a.y + b.y }; }
static shape scaled(shape s, int k) {
  for (int i = 0; i < s.count; i++) {
    s.lines[i].a.x *= k;
    s.lines[i].b.y *= k;
  }
  return s;
}

int main(void) {
  struct point p = { 1, 2 }, q = p, r;
  q.x += 10;
  r = add(p, q);
  printf("%d %d %d\n", r.x, r.y, add(add(p, q), r).x);
  struct line l = { p, { 5, 6 } }, *pl = &l;
  pl->b = r;
  printf("%d %d %d\n", l.a.y, pl->b.x, (&pl->a)->x);
  shape s = { { l, { { 1, 1 }, { 2, 2 } } }, 2 };
  shape t = scaled(s, 3);
  printf("%d %d %d %d\n", t.lines[0].a.x, t.lines[1].b.y, s.lines[1].b.y, scaled(t, 2).lines[0].a.x);
  struct node a = { 0, { 1, 2 } }, b = { &a, { 3, 4 } }, c = { &b, { 5, 6 } };
  for (struct node *n = &c; n; n = n->next)
    printf("%d ", n->p.x + n->p.y);
  printf("\n%zu %zu %zu %zu %zu %zu %zu\n", sizeof(struct mixed), offsetof(struct mixed, d), offsetof(struct mixed, s), offsetof(struct mixed, i),
         offsetof(struct mixed, t), offsetof(struct mixed, l), _Alignof(struct mixed));
  struct point arr[3] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
  arr[0] = arr[2];
  struct point *e = arr;
  *e++ = arr[1];
  printf("%d %d %d\n", arr[0].x, e->y, e[1].x);
  struct { int a; struct { int b; }; } anon = { 1, { 2 } };
  printf("%d\n", anon.a + anon.b);
  struct point sel = p.x ? p : q;
  printf("%d %d\n", sel.x, (p.x > 5 ? p : q).x);
  volatile struct point vp = { 7, 8 };
  vp = p;
  struct point copy = vp;
  printf("%d\n", copy.y);
  struct big { char data[100]; } x = { "text" }, y;
  y = x;
  printf("%s %d\n", y.data, y.data[99]);
  struct self { struct self *me; } self = { &self };
  printf("%d\n", self.me->me == &self);
  return 0;
}
