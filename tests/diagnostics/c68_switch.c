// flags: -std=c17 -pedantic-errors
// C23 6.8.5.3 p1: integer expression.
void f(double d) { switch (d) { } } // error
