// flags: -Wconversion -Wsign-conversion
float third = 0.1, half = 0.5;
int whole = 3.0, part = 3.25, far = 1e100;
struct { int narrow : 3; unsigned mask : 3; } s;
void take(int);

long f(int i, unsigned u, char c, short h, long l, float g, double d, _Bool b)
{
    i = d;
    g = d, g = i, g = c, g = 16777217, g = 16777216;
    d = l, d = i;
    take(l);
    c = i, c = i & 0x7f, c = (char)i, c = h | c, c = ~c, c = c + c, c = c + 1, c += 1, c <<= 1;
    u = i, u = c, i = u, u = -1, u = u + i, u += i, u = sizeof i;
    i = u % 10, i = l / 2, h += i, i += d, h += c;
    i = b ? l : i, i = b ? 1.5 : d, g = b ? 1.0 : 2.0, i = i == u;
    s.narrow = i, s.narrow = 3, s.mask = i & 7, s.mask = u, c = s.narrow;
    l = i + u;
    return d;
}
