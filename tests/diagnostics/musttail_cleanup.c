// Something has to run behind the call.
int f(int);
void clean(int *);
int e(int x) {
  __attribute__((cleanup(clean))) int y = x;
  __attribute__((musttail)) return f(y);
}
