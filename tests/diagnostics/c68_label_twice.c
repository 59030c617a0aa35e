// flags: -std=c17 -pedantic-errors
// C23 6.8.2 p3: labels are unique.
void f(void) { l:; l:; } // error
