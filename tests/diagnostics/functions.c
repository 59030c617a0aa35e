int a(void) = 1;
typedef int F(void); F b { return 1; }
struct s { int m(void); };
register int c(void);
void d(void) { static int e(void); }
int main2() { int f(void) { return 1; } return f(); }
void g(int x) { x(); }
