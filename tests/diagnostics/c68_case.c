// flags: -std=c17 -pedantic-errors
// C23 6.8.2 p2: case in a switch.
void f(void) { case 1:; } // error
