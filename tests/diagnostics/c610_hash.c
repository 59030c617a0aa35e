// flags: -std=c17 -pedantic-errors
// C23 6.10.5.3 p1: # before a parameter.
#define A(x) #y // error
int a;
