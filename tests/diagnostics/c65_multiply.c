// flags: -std=c17 -pedantic-errors
// C23 6.5.6 p2: arithmetic operands.
int f(int *p) { return p * 2 != 0; } // error
