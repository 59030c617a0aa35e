// flags: -std=c17 -pedantic-errors
// C23 6.8.7.2 p1: the label exists.
void f(void) { goto l; } // error
