// flags: -std=c17 -pedantic-errors
// C23 6.6 p8: an integer constant expression.
int f(int n) { switch (n) { case n: return 1; } return 0; } // error
