// flags: -std=c17 -pedantic-errors
// C23 6.5.3.5 p1: real or pointer type.
struct s { int a; };
void f(struct s x) { x++; } // error
