// flags: -std=c17 -pedantic-errors
// C23 6.5.17.3 p1: pointer and integer.
void f(int *p, int *q) { p += q; } // error
