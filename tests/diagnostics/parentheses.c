// flags: -Wall
int f(int a, int b, int c)
{
    if (a = b) return 1;
    if (a & b == c) return 2;
    if (a && b || c) return 3;
    if (a << b + c) return 4;
    if (a < b < c) return 5;
    if (a) if (b) return 6; else return 7;
    return 0;
}
