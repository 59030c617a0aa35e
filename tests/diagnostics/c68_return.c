// flags: -std=c17 -pedantic-errors
// C23 6.8.7.5 p1: no value from a void function.
void f(void) { return 1; } // error
