// flags: -std=c17 -pedantic-errors
// C23 6.8.7.3 p1: in a loop.
void f(void) { continue; } // error
