// flags: -std=c17 -pedantic-errors
// C23 6.6 p3: a constant expression.
int a;
int b = a; // error
