// flags: -std=c17 -pedantic-errors
// C23 6.5.16 p3: operands of one kind.
struct s { int a; };
int f(int c, struct s x) { c ? x : 1; return 0; } // error
