// flags: -std=c17 -pedantic-errors
// C23 6.10.5.4 p1: ## not at an end.
#define A(x) ## x // error
int a;
