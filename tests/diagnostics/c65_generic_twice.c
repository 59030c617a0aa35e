// flags: -std=c17 -pedantic-errors
// C23 6.5.2.1 p2: two compatible types.
int f(int x) { return _Generic(x, int: 1, signed: 2); } // error
