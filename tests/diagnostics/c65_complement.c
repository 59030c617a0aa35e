// flags: -std=c17 -pedantic-errors
// C23 6.5.4.3 p1: integer operand.
int f(double d) { return ~d; } // error
