// flags: -std=c17 -pedantic-errors
// C23 6.5.4.2 p1: not a register object.
int *f(void) { register int a = 0; return &a; } // error
