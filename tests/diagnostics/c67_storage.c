// flags: -std=c17 -pedantic-errors
// C23 6.7.2 p2: one storage class.
static extern int a; // error
