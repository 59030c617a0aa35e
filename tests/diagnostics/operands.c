struct s { int a; } s;
void f(int *p, double d, int i)
{
    s + 1;
    p * 2;
    p + p;
    d % 2;
    ~d;
    -s;
    !s;
    d << 1;
    p & 1;
    i ? s : 1;
    *i;
    i[i];
    s == s;
    p < d;
}
