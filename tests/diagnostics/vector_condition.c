// Vectors are no conditions, of the operator either.
typedef int v4 __attribute__((vector_size(16)));
v4 choose(v4 a, v4 b, v4 c) { return a ? b : c; }
v4 compare(v4 a, v4 b, v4 c) { return (a == b) ? b : c; }
v4 omitted(v4 a, v4 b) { return a ?: b; }
v4 not(v4 a) { return !a; }
v4 scalar(int a, v4 b, v4 c) { return a ? b : c; }
struct s { struct { int a; } in; } *p;
void loop(v4 a)
{
    while (a == a) ;
    if (p->in) ;
}
