struct s { int a; } s; union u { int i; float f; };
void f(char *p, int i, double d)
{
    (int)s;
    (struct s)i;
    (char *)d;
    (double)p;
    (int[3])i;
    (int (void))i;
    (short)p;
    (char *)(char)i;
    (union u)p;
    (struct s)s;
}
