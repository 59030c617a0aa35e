// flags: -std=c17 -pedantic-errors
// C23 6.5.4.2 p2: pointer operand.
int f(int a) { return *a; } // error
