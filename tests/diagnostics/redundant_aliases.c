// flags: -c -Wredundant-decls
int f(void);
int f_i(void) { return 1; }
int f(void) __attribute((alias("f_i")));
extern int v; int v_i;
extern int v __attribute((alias("v_i")));
int g(void); int g(void);
extern int w; extern int w;
int h(void); static void *res(void) { return f_i; }
int h(void) __attribute((ifunc("res")));
static int k(void); 
static int k(void) __attribute((weakref("f_i")));
int main() { return f() + v + h() + k(); }
int f(void);
