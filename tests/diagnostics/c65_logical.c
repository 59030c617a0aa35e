// flags: -std=c17 -pedantic-errors
// C23 6.5.14 p2: scalar operands.
struct s { int a; };
int f(struct s x) { return x && 1; } // error
