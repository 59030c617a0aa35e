struct s { int a; union { int b; float c; }; };
int f(struct s x, struct s *p, int i) { return x.d + p->b + x->a + p.a + i.a + i->b; }
