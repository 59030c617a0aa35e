// flags: -std=c17 -pedantic-errors
// C23 6.8.7.2 p1: not into the scope of a variable length array.
void f(int n) { goto l; int a[n]; l:; } // error
