// Calls that cannot take the place of their function's frame.
int f(int);
long g(int);
void clean(int *);
struct big { long v[9]; };
int pass(struct big, int);

int a(int x) {
  __attribute__((musttail)) return f(x) + 1;
}
int b(int x) {
  __attribute__((musttail)) return g(x);
}
int c(int x) {
  __attribute__((musttail)) f(x);
  __attribute__((musttail)) return f(x);
}
void d(int x) {
  __attribute__((musttail)) return;
}
