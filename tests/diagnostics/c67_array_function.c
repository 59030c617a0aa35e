// flags: -std=c17 -pedantic-errors
// C23 6.7.7.3 p1: no arrays of functions.
int a[2](void); // error
