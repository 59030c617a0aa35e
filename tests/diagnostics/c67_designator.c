// flags: -std=c17 -pedantic-errors
// C23 6.7.11 p7: a member of the structure.
struct s { int a; } x = {.b = 1}; // error
