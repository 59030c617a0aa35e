// flags: -w -std=c99 -pedantic-errors -Werror
int f(void) { int a; a = 1; int b = 2; return a + b; }
int *p = 3;
int unused(int x) { int y; return x ?: 0; }
int wrong = "a" * 2;
