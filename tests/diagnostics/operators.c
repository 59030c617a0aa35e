struct s { int a; } s;
int f(double d, int *p, struct s t) {
  d % 2;
  d << 1;
  ~d;
  p * 2;
  p + p;
  s + 1;
  !s;
  if (s) {}
  -p;
  *d;
  d ? s : 1;
  p && s;
  s == t;
  (struct s)1;
  (int)s;
  return 0;
}
