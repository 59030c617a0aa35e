// flags: -std=c17 -pedantic-errors
// C23 6.10.2 p1: an integer constant expression.
#if 1 +
#endif
int a;
