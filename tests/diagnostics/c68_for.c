// flags: -std=c17 -pedantic-errors
// C23 6.8.6 p3: automatic objects only.
void f(void) { for (static int a; a;) ; } // error
