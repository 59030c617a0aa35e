// flags: -Wall
void f(unsigned *);
void g(int *p, unsigned char *u) { f(p); signed char *s = u; (void)s; }
