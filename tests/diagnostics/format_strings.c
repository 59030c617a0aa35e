// flags: -Wall -Wformat=2
int printf(const char *, ...);
int sprintf(char *, const char *, ...);
int scanf(const char *, ...);
int vprintf(const char *, __builtin_va_list);
typedef unsigned long size_t;
size_t strftime(char *, size_t, const char *, const void *);
char *gettext(const char *) __attribute__((format_arg(1)));
void report(int, const char *, ...) __attribute__((format(printf, 2, 3)));
enum e { E };
struct s { short n; unsigned bits : 3; };
void wrong(int i, long l, double d, char *s, void *p, const char *f, float g, struct s *t) {
  printf("%d\n", l);
  printf("%ld %s\n", i, d);
  printf("%s", i);
  printf("%f", i);
  printf("%lld", l);
  printf("%zu", i);
  printf("%d %d\n", i);
  printf("%d\n", i, i);
  printf("%*d", l, i);
  printf("%.*f", i, i);
  printf("%y", i);
  printf("100%");
  printf("%l");
  printf("%hs", s);
  printf("");
  printf("a\0b");
  printf(f);
  printf(f, i);
  printf(i ? "%d" : "%s", i);
  printf(gettext("%s"), i);
  report(1, "%p %c", i, l);
  scanf("%d %s %f", i, &i, &d);
  scanf("%d", f);
  scanf("%[abc", s);
  strftime(s, 9, "%Y %Q", p);
  printf("%n", &l);
  printf("%s %d", (char *)0, p);
}
void right(int i, long l, unsigned u, char c, double d, char *s, void *p, short h, enum e e, float g, struct s *t, size_t z) {
  printf("%d %u %x %c %hhd %hd %i %d %d\n", i, i, u, c, c, h, c, t->n, t->bits);
  printf("%ld %lu %zu %jd %td %5.2f %*.*f %g\n", l, l, z, l, l, d, i, i, d, g);
  printf("%s %p %p %.3s %% %d\n", s, p, s, s, e);
  printf("%2$d %1$d\n", i, i);
  printf("%m\n");
  scanf("%d %*d %ld %s %c %[^]a] %hhu %lf %f %ms", &i, &l, s, &c, s, (unsigned char *)s, &d, &g, &s);
  sprintf(s, "%s" "%d", s, i);
  strftime(s, 9, "%Y-%m-%d %H:%M:%S %%", p);
  report(1, "%s", "x");
  printf(gettext("%d"), i);
}
