// flags: -std=c17 -pedantic-errors
// C23 6.7.1 p2: declares something.
int; // error
