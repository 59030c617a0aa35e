// flags: -std=c17 -pedantic-errors
// C23 6.5.17.2 p1: qualifiers kept.
void f(const char *p) { char *q = p; (void)q; } // error
