// flags: -std=c17 -pedantic-errors
// C23 6.5.4.3 p1: scalar operand.
struct s { int a; };
int f(struct s x) { return !x; } // error
