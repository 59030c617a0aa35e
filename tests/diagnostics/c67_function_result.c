// flags: -std=c17 -pedantic-errors
// C23 6.7.7.4 p1: no function returns an array.
int a(void)[2]; // error
