// Unknown types are reported once: what they declare is used without further errors.
int f(uint a, foo *b) { return a + b->x; }
struct s { bar *p; int n; };
int g(struct s *q) { baz t = 1; qux *z = 0; t++; return q->p->x + t + z->n; }
