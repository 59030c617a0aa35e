// flags: -std=c17 -pedantic-errors
// C23 6.5.11 p2: integer operands.
int f(double d) { return d & 1; } // error
