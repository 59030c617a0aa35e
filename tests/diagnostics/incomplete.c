struct s; void f(struct s *p) { *p; p + 1; sizeof *p; p->x; }
int a[]; void g(void) { int b[]; sizeof a; void x; }
void h(struct s x) { }
struct s k(void) { }
extern struct s arr[3];
void *v; void m(void) { v + 1; sizeof(void); }
