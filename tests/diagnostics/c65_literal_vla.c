// flags: -std=c17 -pedantic-errors
// C23 6.5.3.6 p1: no variable length array.
int *f(int n) { return (int[n]){1}; } // error
