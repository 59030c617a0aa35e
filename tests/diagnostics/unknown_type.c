foo x;
bar *y;
void f(void) { baz z; qux *w; }
struct s { quux m; int n; };
void g(zap a, int b);
int ok;
