// flags: -std=c17 -pedantic-errors
// C23 6.5.8 p2: integer operands.
int f(double d) { return 1 << d; } // error
