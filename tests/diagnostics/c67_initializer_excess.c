// flags: -std=c17 -pedantic-errors
// C23 6.7.11 p3: no more initialisers than objects.
int a[2] = {1, 2, 3}; // error
