// flags: -std=c17 -pedantic-errors
// C23 6.10.5 p4: number of arguments.
#define A(x, y) x + y
int a = A(1); // error
