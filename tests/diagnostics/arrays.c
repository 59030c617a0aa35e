int n; int a[n];
int b[-1]; int c[1.5]; int d[(void *)0];
void f(void) { int x[-2]; static int y[n]; extern int z[n]; int v[n] = {1}; }
int fa[2](void); int af(void)[2]; int ff(void)(void);
void va[3];
