// flags: -std=c17 -pedantic-errors
// C23 6.5.7 p3: compatible pointers.
int f(int *p, char *q) { return p - q; } // error
