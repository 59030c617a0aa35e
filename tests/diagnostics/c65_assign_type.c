// flags: -std=c17 -pedantic-errors
// C23 6.5.17.2 p1: assignable.
struct s { int a; } x;
void f(int a) { x = a; } // error
