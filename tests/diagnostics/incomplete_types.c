struct s;
struct s x;
int f(struct s *p) { return p->a + sizeof(struct s) + p[1].b; }
void g(void v);
int h(struct s v) { return 0; }
int a[];
int b[][];
void c;
extern struct s *d;
struct t { struct t inner; };
struct u { int a; void v; int f(void); };
