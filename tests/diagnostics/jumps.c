/* Jumps into scopes that no jump may enter, and labels in odd places. */
void a(int n) { goto in; { typedef int (*t)[n]; in: ; } }
void b(int n) { goto in; int (*p)[n]; in: ; }
void c(void) { goto in; ({ in: 1; }); }
void d(int n) { switch (n) { case 0: ({ case 1: 2; }); } }
int e(void) { 1 ? 1 : ({ in: 2; }); goto in; }
void f(int n) { { int v[n]; goto out; } out: ; }
void g(void) { ({ goto out; 1; }); out: ; }
void h(void) { goto *10; }
void i(void) { asm goto volatile goto ("" : : : : l); l: ; }
void j(int n) { asm("" : : "m"(n + 1)); asm("" : : "m"(n)); }
void k(void) { register int r; asm("" : "=m"(r)); }
void l(void) { for (static int n = 0; n < 1; n++) ; for (struct s { int m; } *p = 0; p; ) ; }
void m(void) { auto int nested(int); }
