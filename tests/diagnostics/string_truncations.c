// flags: -O2 -Wall -Wno-misleading-indentation
typedef unsigned long size_t;
char *strncpy(char *, const char *, size_t), *stpncpy(char *, const char *, size_t), *strncat(char *, const char *, size_t);
size_t strlen(const char *);
void sink(void *);
struct s { int x; char name[16]; } g;
struct t { char big[20]; char same[16]; char one[1]; } tt;

void cut(struct s *p, const char *src, size_t n, char *d, struct t *t)
{
    char b[16];
    strncpy(p->name, src, sizeof p->name);
    strncpy(d, n ? "abc" : "0123456789abcdefg", 16); sink(d);
    strncpy(d, t->big, 15); sink(d);
    strncpy(b + 1, src, 15); sink(b);
    strncpy(b, "abcdefgh", 8); sink(b);
    strncpy(b, "abcdefghij", 8); sink(b);
    strncpy(d, "abc", 2); sink(d);
    if (n) strncpy(b, src, 16); sink(b);
    strncpy(b, src, 16); if (n) b[15] = 0; sink(b);
    strncpy(p->name, src, 16); p->x = 0;
    strncpy(p->name, src, 16); g.name[15] = 1;
    d = strncpy(b, src, 16); sink(b);
    (void)strncpy(b, src, 16); sink(b);
    sink(stpncpy(b, src, 16));
    strncpy(tt.big, src, strlen(src) + 1); sink(&tt);
    strncpy(tt.big, src, strlen(src)); sink(&tt);
    for (;;) { strncpy(b, src, 16); sink(b); break; }
    strncat(d, "abc", 3);
    strncat(b, src, 16); sink(b);
}

void kept(struct s *p, const char *src, size_t n, char *d, struct t *t)
{
    char b[16];
    strncpy(d, t->same, 16); sink(d);
    strncpy(d, n ? "abc" : "defg", 16); sink(d);
    strncpy(t->one, src, 1); sink(t);
    strncpy(b, src, 16); *b = 0; sink(b);
    strncpy(b, src, 16); b[15] = 0; sink(b);
    strncpy(b, src, 16), b[15] = 0; sink(b);
    if (n) strncpy(b, src, 16); else n++; b[15] = 0; sink(b);
    strncpy(p->name, src, 16); p->name[n] = 1;
    strncpy(tt.big, src, sizeof(tt.big) - 1); sink(&tt);
    { static char fixed[16] __attribute__((nonstring)); strncpy(fixed, src, 16); sink(fixed); }
    strncat(b, src, 15); sink(b);
}
// A place in a member, and a member of a union, are as large as the whole.
void keep(void *);
void members(const char *s) {
  union { char text[13]; int number; } either;
  struct { char text[13]; int number; } both;
  strncpy(either.text, s, 13);
  strncpy(either.text + 1, s, 12);
  strncpy(both.text + 1, s, 12);
  strncpy(both.text, s, 13);
  keep(&either);
  keep(&both);
}

// A string whose length was compared before.
void refuse(const char *) __attribute__((noreturn));
void compared(const char *text, const char **words, const char *other)
{
    char a[16], b[8], c[8], d[8];
    if (strlen(text) > sizeof a - 1)
        refuse(text);
    strncpy(a, text, sizeof a);
    keep(a);
    if (8 <= strlen(*words))
        refuse(*words);
    strncpy(b, *words, sizeof b);
    keep(b);
    if (strlen(other) <= 8)
        strncpy(c, other, sizeof c);
    keep(c);
    strncpy(d, text + 1, sizeof d);
    keep(d);
}

// A member that holds no string.
struct without_nul { char line[8] __attribute__((nonstring)); char name[8]; };
void nonstring_members(struct without_nul *r, const char *line)
{
    strncpy(r->line, line, sizeof r->line);
    keep(r);
    strncpy(r->name, line, sizeof r->name);
    keep(r);
}

// Lengths in variables.
void measured(char *to, const char *s, const char *t, const char *u, const char *v, const char *w)
{
    char c[8];
    size_t n = strlen(s);
    strncpy(to, s, n);
    keep(to);
    int m;
    m = strlen(t);
    strncpy(to, t, m + 1);
    keep(to);
    size_t changed = strlen(u);
    changed = 5;
    strncpy(to, u, changed);
    keep(to);
    size_t other = strlen(v);
    v++;
    strncpy(to, v, other);
    keep(to);
    size_t known = strlen(w);
    if (known > 7)
        return;
    strncpy(c, w, sizeof c);
    keep(c);
}
