// flags: -std=c17 -pedantic-errors
// C23 6.5.3.3 p1: pointer to function.
int f(int a) { return a(1); } // error
