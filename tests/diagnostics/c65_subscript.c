// flags: -std=c17 -pedantic-errors
// C23 6.5.3.2 p1: pointer to complete object type.
int f(int a, int b) { return a[b]; } // error
