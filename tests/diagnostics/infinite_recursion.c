// flags: -c -Wall
// Every way to a return leads through a call of the function itself. A way that ends the program is none to a return.
void exit(int) __attribute__((noreturn));
typedef unsigned long size_t;
int plain(int x) { return plain(x - 1); }
int both(int x) { if (x) return both(x - 1); else return both(x + 1); }
int ends(int x) { if (x) exit(1); return ends(x + 1); }
int loop(int x) { while (x) x = loop(x); return loop(x + 1); }
int other(int x) { switch (x) { case 1: other(2); break; default: return other(5); } return 3; }
static inline int unused(int x) { return unused(x - 1); }
int fine(int x) { if (x) return fine(x - 1); return 1; }
int choice(int x) { return x && choice(1); }
void through(void) { void (*pointer)(void) = through; pointer(); }
size_t strlen(const char *s) { return __builtin_strlen(s); }
int never(int x) { for (;;) if (x) x--; return never(x); }
__attribute__((noreturn)) void throws(int x) { if (x) throws(x - 1); else exit(2); }
extern long real(char *) __asm__("renamed");
extern inline __attribute__((always_inline, gnu_inline)) long renamed(char *p) { return real(p); }
long calls(char *p) { return renamed(p); }
