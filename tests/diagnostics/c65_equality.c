// flags: -std=c17 -pedantic-errors
// C23 6.5.10 p2: comparable operands.
struct s { int a; };
int f(struct s x, struct s y) { return x == y; } // error
