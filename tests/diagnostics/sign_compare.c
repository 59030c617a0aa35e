// flags: -Wall -Wextra
int f(int a, unsigned b, unsigned char c, long d)
{
    return (a < b) + (a == c) + (d < b) + (b > 5) + (a < 5u) + (c < b);
}
