// flags: -std=c17 -pedantic-errors
// C23 6.10.8: #error.
#error stop // error
int a;
