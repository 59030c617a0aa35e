// flags: -std=c17 -pedantic-errors
// C23 6.5.5 p4: no pointer from floating.
void *f(double d) { return (void *)d; } // error
