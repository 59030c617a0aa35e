// flags: -std=c17 -pedantic-errors
// C23 6.5.4.2 p1: not a bit-field.
struct s { int a : 3; } x;
void *f(void) { return &x.a; } // error
