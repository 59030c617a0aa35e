int f(a, b) int a; char b; { return a + b; }
int g(void) { return f(1); }
int f2(); int h(void) { return f2(1, 2, 3); }
int k(float); int k(x) float x; { return x; }
int m(a, int b);
