// flags: -std=c17 -pedantic-errors
// C23 6.5.7 p2: no sum of pointers.
int *f(int *p, int *q) { return p + q; } // error
