// flags: -std=c17 -pedantic-errors
// C23 6.8.5.2 p1: scalar condition.
struct s { int a; } x;
void f(void) { if (x) ; } // error
