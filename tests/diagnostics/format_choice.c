// flags: -Wall
// Arguments are too many if no string of a conditional takes them.
int printf(const char *, ...);
void one(int x) { printf(x ? "%d %d\n" : "%d\n", x, x); }
void none(int x) { printf(x ? "%d\n" : "%u\n", x, x); }
void text(int x) { printf(x ? "\n" : "a\n", x); }
void numbered(int x) { printf(x ? "%1$d" : "a", x); }
