// flags: -Wsequence-point
struct s { int n, m; struct s *next, *prev; int a[4]; };
int f(int,int);
int g(struct s *l, struct s *k, int *p, int i) {
  l->n = l->n++;
  l->n = k->n++;
  l->a[i] = l->a[i]++;
  l->a[1] = l->a[2]++;
  *p = (*p)++ + 1;
  p[0] = p[1]++;
  l->next->prev = l->prev = k;
  f(l->n, l->n++);
  f(l->n, l->m++);
  l->a[l->n++] = l->n;
  (&l->n)[0] = l->m++;
  l->n = (l->m++, l->n);
  return l->n++ + l->m;
}
