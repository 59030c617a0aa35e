void f(void) { return 1; }
int g(void) { return; }
int *h(int x) { return x; }
