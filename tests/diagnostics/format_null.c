// flags: -Wall -Wformat-security
// A null pointer among the choices, and a constant array that a function hands on, are no
// unknown strings.
int say(const char *, ...) __attribute__((format(printf, 1, 2)));
const char *translated(const char *) __attribute__((format_arg(1)));
static const char advice[] = "advice";
char unknown[] = "unknown";
void null(int x) { say(x ? "text" : (char *)0); }
void takes(int x) { say(x ? (void *)0 : "%d", x); }
void extra(int x) { say(x ? "text" : (void *)0, x); }
void constant(void) { say(translated(advice)); }
void array(void) { say(translated(unknown)); }
