// flags: -Wall -Wformat-security
int printf(const char *, ...), sprintf(char *, const char *, ...);
static const char get[] = "get ", locked[] = "get -e ";
char variable[] = "x";
void f(char *p, int c, const char *s)
{
    sprintf(p, c ? get : locked);
    sprintf(p, c ? get : "literal");
    sprintf(p, c ? get : c > 4 ? locked : "literal");
    printf(c ? "all of it\n" : "stopped at '%s'\n", s);
    printf(c ? "" : "%s", s);
    // These are wrong.
    sprintf(p, c ? get : variable);
    printf(c ? "all of it\n" : "none\n", s);
    printf(c ? "" : "");
    printf(c ? "%d" : "%s", s);
    printf("", 1);
}
