// flags: -std=c17 -pedantic-errors
// C23 6.9.2 p4: extern or static only.
typedef int f(void) { return 1; } // error
