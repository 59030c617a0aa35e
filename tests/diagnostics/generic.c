int f(int x, char *p)
{
    _Generic(p, int: 1, long: 2);
    _Generic(x, int: 1, int: 2);
    _Generic(x, default: 1, default: 2);
    return _Generic(x, int: 1, struct undefined: 2, default: 3);
}
