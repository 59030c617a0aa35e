int two(int a, int b);
void none(void);
void pointer(int *p);
int f(void) {
  two(1);
  two(1, 2, 3);
  none(4);
  pointer(1.5);
  int x = none();
  return x(3);
}
