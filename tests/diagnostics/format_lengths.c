// flags: -Wall
int sprintf(char *, const char *, ...);
int snprintf(char *, unsigned long, const char *, ...);
void sink(void *);
extern char big[300];
struct s { char name[10]; char rest[40]; };

void overflows(int n, char *q, struct s *p, double d, unsigned char c)
{
    char buf[8];
    sprintf(buf, "hello world"), sprintf(buf, "12345678"), sprintf(buf, "1234567");
    sprintf(buf, "%s", "hello world"), sprintf(buf, "abc%s", "hello"), sprintf(buf, "%.3s", "hello world");
    sprintf(buf, "%d", 123456789), sprintf(buf, "%d", n), sprintf(buf, "%s", q);
    sprintf(buf, "%s", big), sprintf(buf, "%s-%s", p->name, q), sprintf(p->name, "%s", p->rest);
    sprintf(buf, "%f", d), sprintf(buf, "%.0f", d), sprintf(buf, "%.9f", 1.5);
    sprintf(buf, "%10d", n), sprintf(buf, "%-8d", n), sprintf(buf, "%.9d", n), sprintf(buf, "%*d", 9, n);
    sprintf(buf, "abcdefg%d", n), sprintf(buf, "%#lx", 0x123456789);
    sprintf(buf, "%hhu%hhu", c, c), sprintf(buf + 4, "%s", "abcd"), sprintf(buf, "100%% %d", n);
    sprintf(p->rest, "%d", n), sprintf(q, "%s", big);
}

int truncations(int n, char *q, struct s *p)
{
    char buf[8];
    snprintf(buf, 4, "%s", "hello");
    snprintf(buf, sizeof buf, "%s", big);
    snprintf(buf, sizeof buf, "%s/%s", p->rest, q);
    snprintf(buf, sizeof buf, "abcdefgh");
    snprintf(buf, sizeof buf, "%d", n);
    snprintf(0, 0, "%s", big);
    if (snprintf(buf, sizeof buf, "%s", big) > 7)
        sink(buf);
    return snprintf(buf, sizeof buf, "%s", big);
}

void behind_a_name_that_may_fill_it(char *q, struct s *p)
{
    char buf[9];
    sprintf(buf, "%s-%s", p->name, q);
    sprintf(buf, "%s, and %s", p->name, q);
}
