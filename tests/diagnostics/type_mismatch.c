struct s { int a; };
struct t { int a; };
int f(struct s x, int *p, char *q) {
  int i = x;
  struct s y = 3;
  p = q;
  i = p;
  p = 5;
  x = (struct t){ 1 };
  return p;
}
