// flags: -std=c17 -pedantic-errors
// C23 6.7.7.4 p2: register only.
int a(static int b); // error
