// flags: -std=c17 -pedantic-errors
// C23 6.9.2 p4: complete parameters.
struct s;
void f(struct s a) { (void)&a; } // error
