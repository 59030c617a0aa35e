// flags: -std=c17 -pedantic-errors
_Alignas(8) int function(void);
void block(void) { _Alignas(8) register int x; (void)x; }
int old(a, b) static int a; inline int b; { return a + b; }
int aligned(a) _Alignas(8) int a; { return a; }
int length(int a[static]);
int star(int n, int a[*]);
int defined(int n, int a[*]) { return n; }
int inner(int n, int (*g)(int m, int a[*])) { return n; }
int named_void(void v);
int named_void_defined(void v) { return 0; }
void literal(int n) { (void)(char[][n]){ "" }; }
