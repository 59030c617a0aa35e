// flags: -std=c17 -pedantic-errors
// C23 6.5.5 p2: scalar types.
struct s { int a; };
int f(struct s x) { return (int)x; } // error
