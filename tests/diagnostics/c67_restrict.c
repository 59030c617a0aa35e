// flags: -std=c17 -pedantic-errors
// C23 6.7.4.1 p2: restrict on pointers to objects.
int restrict a; // error
