// flags: -c -O2 -Wall
// Small functions that are called with constants have constant results: an error that is made so is never zero.
static inline unsigned make(unsigned source, unsigned code)
{
    return code == 0 ? 0 : (source & 127) << 24 | (code & 0xffff);
}
static inline unsigned error(int code) { return make(3, code); }
static int place(int kind)
{
    switch (kind) {
    case 1: return 10;
    case 2: return 20;
    default: return 0;
    }
}
int get(int *), use(int), counter;
static inline int counted(int code) { return code + counter; }

unsigned by_error(int x)
{
    int value;
    unsigned e = get(0);
    if (e)
        return e;
    if (x)
        value = get(0);
    else
        e = error(5);
    if (!e)
        use(value);
    return e;
}
int by_switch(int x)
{
    int value, kind;
    if (x)
        kind = 0, value = get(0);
    else
        kind = place(2);
    if (kind != 20)
        use(value);
    return 0;
}
unsigned loud_zero(int x)
{
    int value;
    unsigned e = 1;
    if (x)
        value = get(0);
    else
        e = error(0);
    if (!e)
        use(value);
    return e;
}
int loud_counted(int x)
{
    int value, e = 0;
    if (x)
        value = get(0);
    else
        e = counted(1);
    if (!e)
        use(value);
    return e;
}
