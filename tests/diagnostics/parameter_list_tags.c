// New tags in lists of parameters, with names or without.
void b8(struct {int a;} s, union { int k; } *p, enum { Q } e);
void b9(struct n {int a; struct {int b;}; struct { int c; } m; struct o {int q;} r; } s, union u { int k; } *p, enum ee { Q2 } e);
void c1(struct n {int a;} s) {}
int c2 = sizeof(void (*)(struct {int a;}));
void c3(int a[sizeof(struct { int b; })], union {int *a; int *b;} u);
void c4(void (*f)(struct z *), struct z *p);
void c5(a, b) struct { int a; } a; enum { H } b; {}
