// flags: -Wall
#define NULL ((void *)0)
int printf(const char *, ...);
void f(void *p) __attribute__((nonnull));
void g(void) { f(NULL); f(0); }
