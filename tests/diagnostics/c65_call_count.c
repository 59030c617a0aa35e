// flags: -std=c17 -pedantic-errors
// C23 6.5.3.3 p2: number of arguments.
int g(int, int);
int f(void) { return g(1); } // error
