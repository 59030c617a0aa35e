// flags: -std=c17 -pedantic-errors
// C23 6.5.4.2 p1: lvalue or function.
int *f(int a) { return &(a + 1); } // error
