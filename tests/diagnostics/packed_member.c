// -Waddress-of-packed-member: the pointer that gets the address decides.
struct s { char c; int i; int a[3]; struct { short q; } in; } __attribute__((packed)) s;
struct outer { char c; int i __attribute__((packed)); struct s sub; };
typedef struct { char c; long l; } __attribute__((packed)) T;
struct aligned { long l; };
struct even { int c, i; } __attribute__((packed, aligned(4)));
void *pv = &s.i;
char *pc = (void *)&s.i;
short *ps = (short *)&s.i;
int take(int *p, const void *v), *give(void);
T *given(void);
int *f(void) { return &s.i; }
int *g(struct s *p, struct outer *o, int c)
{
    int *q = c ? &p->i : 0;
    q = (c++, &o->i);
    q = &o->sub.i;
    q = p->a;
    short *half = &p->in.q;
    take(&p->i, &p->i);
    take(0, p);
    *&p->i = 3;
    if (&p->i == q) return give();
    return (int *)p;
}
struct aligned *h(T *t) { return t->c ? (struct aligned *)given() : (struct aligned *)t; }
int *even(struct even *p) { return &p->i; }
