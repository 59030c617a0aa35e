// flags: -std=c17 -pedantic-errors
// C23 6.5.3.4 p1: a member of the structure.
struct s { int a; };
int f(struct s x) { return x.b; } // error
