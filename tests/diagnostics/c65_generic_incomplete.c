// flags: -std=c17 -pedantic-errors
// C23 6.5.2.1 p2: complete object types.
struct s;
int f(int x) { return _Generic(x, struct s: 1, int: 2); } // error
