// flags: -Wall
// The first use of an object as a truth value is reported, and in macros nothing else.
#define IS_NULL(p) ((p) == 0)
#define IF(p) if (p) x++
#define NOT(p) (!(p))
struct s { int m, arr[2]; struct s *next; } s;
int a[3], b[3], x;
_Complex double z;
void fn(void);
extern int weak __attribute__((weak));
int f(struct s *p, int *q, int n, int (*rows)[3], void *v) {
  if (a) x++;
  while (a) x++;
  x = !a;
  x = NOT(b);
  x = NOT(b);
  if (IS_NULL(a)) x++;
  IF(a);
  if (&weak) x++;
  if (p->arr) x++;
  if (&p->m == 0) x++;
  if (IS_NULL(&p->m)) x++;
  if (&a[n]) x++;
  if (a + 1) x++;
  if (q + n) x++;
  if (q - 1 == 0) x++;
  if (&q[0]) x++;
  if (v + 1) x++;
  if (rows[1]) x++;
  if ((void *)fn != 0) x++;
  if ((long)&x == 0) x++;
  x = (n ? &x : 0) != 0;
  x = (n ? q + 1 : q) ? 1 : 2;
  x = "abc" ? 1 : 2;
  x = "abc" + n ? 1 : 2;
  x = &__real__ z && fn;
  return &p->next->m ? 1 : 0;
}
_Bool as_bool(int n) { return &n; }
