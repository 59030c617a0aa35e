// flags: -std=c17 -pedantic-errors
// C23 6.8.7.4 p1: in a loop or switch.
void f(void) { break; } // error
