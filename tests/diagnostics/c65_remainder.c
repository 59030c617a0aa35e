// flags: -std=c17 -pedantic-errors
// C23 6.5.6 p2: integer operands.
double f(double d) { return d % 2; } // error
