// flags: -std=c17 -pedantic-errors
// C23 6.5.4.3 p1: arithmetic operand.
int f(int *p) { return -p != 0; } // error
