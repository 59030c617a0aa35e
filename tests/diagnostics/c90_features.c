// flags: -std=c90 -pedantic-errors
/* What C99 and C11 brought is a diagnostic in C90. */
int a = _Alignof(int);
_Alignas(8) int b;
_Atomic int c;
int *_Atomic d;
_Noreturn void e(void);
static _Thread_local int f;
_Complex double g;
struct flexible { int n; int data[]; };
void h(int n, int v[const]);
void i(int n, int v[*]);
typedef const int constant;
const constant j;
const char *k(void) { return __func__; }
long long l;
void m(void) { return 1; }
enum { n = sizeof(int), };
void *o(void) { static int p = (1 ? 0 : p++); return &p; }
struct s { char c[4]; } q(void);
char *r(void) { return q().c; }
int t(void) { if (q().c) return 1; return 0; }
