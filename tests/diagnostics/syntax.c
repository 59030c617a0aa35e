int a b;
int f(void) {
  int x = (1 + ;
  if (x
    return 1;
  return 2
}
int g(void) { return 3; }
struct s { int a int b; };
int h(int x { return x; }
int last = 1;
