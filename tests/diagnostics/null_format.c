// flags: -Wall -Wextra
// A null format is no format: nothing is said of it, but its arguments are too many (gcc's check_format_arg).
extern int report(void *, const char *, ...) __attribute__((format(printf, 2, 3)));
extern int report_list(const char *, __builtin_va_list) __attribute__((format(printf, 1, 0)));
extern int read_from(const char *, const char *, ...) __attribute__((format(scanf, 2, 3)));

void f(void *p, char *b, __builtin_va_list list)
{
    report(p, 0);
    report(p, (void *)0, 1);
    report_list(0, list);
    read_from(b, 0);
    read_from(b, 0, b);
}
