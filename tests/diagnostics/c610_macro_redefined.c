// flags: -std=c17 -pedantic-errors
// C23 6.10.5 p2: no other redefinition.
#define A 1
#define A 2 // error
int a = A;
