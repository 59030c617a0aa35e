void f(int a, int a);
void g(void, int);
void h(void x);
int k(a, a) int a; { return a; }
int l(a) int b; { return a; }
void m(static int x);
void n(int x = 1);
int o(int a, b) { return a; }
