// flags: -Wpedantic
int a[0];
struct s { };
int f(void) { return ({ 1; }); }
int g(int x) { switch (x) { case 1 ... 2: ; } return x ?: 1; }
void *h = &&l;
int k = 0b11;
struct t { int n; int x[]; } tt = { 1, { 2 } };
;
enum e { E = 3000000000 };
void m(void) { int b[] = { [0 ... 1] = 2 }; (void)b; void *p = m; __extension__ ({ 1; }); }
typedef struct { int a } q;
