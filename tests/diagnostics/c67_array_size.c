// flags: -std=c17 -pedantic-errors
// C23 6.7.7.3 p1: size above zero.
int a[-1]; // error
