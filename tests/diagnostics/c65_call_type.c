// flags: -std=c17 -pedantic-errors
// C23 6.5.3.3 p2: assignable arguments.
struct s { int a; };
int g(int);
int f(struct s x) { return g(x); } // error
