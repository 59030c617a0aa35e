// flags: -Wall -Wextra
int f(int a, unsigned b, unsigned char c, long d)
{
    return (a < b) + (a == c) + (d < b) + (b > 5) + (a < 5u) + (c < b);
}
// A call with a known result is a constant.
int known_length(const char *a, const char *b) { return b - a == __builtin_strlen("chunked"); }
int unknown_length(const char *a, const char *b) { return b - a == __builtin_strlen(a); }
