struct s { int a; } s, *p; struct u *q; int i;
void f(void)
{
    s.b;
    p->b;
    p.a;
    s->a;
    q->x;
    i.x;
    i->x;
}
