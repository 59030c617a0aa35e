// flags: -Wmissing-prototypes -Wmissing-declarations
int a() { return 1; }
int b(void) { return 1; }
int c();
int c(void) { return 1; }
int d();
int e(void) { int k(void); return d() + k(); }
int d(int x) { return 1; }
int k(void) { return 1; }
extern int l(void) { return 1; }
// No warning for these.
int before(void);
int before(void) { return 1; }
inline int f(void) { return 1; }
static int g(void) { return 1; }
int main() { return g(); }
