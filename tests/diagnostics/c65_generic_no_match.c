// flags: -std=c17 -pedantic-errors
// C23 6.5.2.1 p2: an association matches.
int f(int x) { return _Generic(x, char: 1, long: 2); } // error
