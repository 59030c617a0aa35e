// flags: -Waggregate-return -Wunsuffixed-float-constants -Walloca -Wlarger-than=1000 -Wc90-c99-compat -Wmissing-include-dirs -Inonexistent -isystem absent
struct big { char c[100]; };
struct big make(void);
struct big pass(void) { return make(); }
void use(struct big b) { make(); }
double d = 1.5, e = 1e3;
float f = 2.5f;
long double l = 1.0L;
void *allocated(int n) { return __builtin_alloca(n); }
int small[100];
static char large[2000] = "x";
void g(void) { char local[5000]; local[0] = large[0]; }
int vla(int n) { int a[n]; for (int i = 0; i < n; i++) a[i] = i; return a[n - 1]; }
int extended(int n) { return __extension__ ({ _Bool b = n; b; }); }
