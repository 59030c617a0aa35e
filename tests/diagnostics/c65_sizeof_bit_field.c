// flags: -std=c17 -pedantic-errors
// C23 6.5.4.5 p1: not a bit-field.
struct s { int a : 3; } x;
int f(void) { return sizeof x.a; } // error
