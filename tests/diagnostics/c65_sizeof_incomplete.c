// flags: -std=c17 -pedantic-errors
// C23 6.5.4.5 p1: complete type.
struct s;
int a = sizeof(struct s); // error
