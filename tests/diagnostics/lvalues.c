struct s { const int a; int b : 3; };
int f(const int c, struct s *p, int arr[3]) {
  c = 1;
  p->a = 2;
  3 = c;
  (c + 1)++;
  &p->b;
  &3;
  register int r = 0;
  int *q = &r;
  f = 0;
  int x[3];
  x = arr;
  return *c;
}
