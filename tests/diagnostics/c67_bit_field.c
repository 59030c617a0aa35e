// flags: -std=c17 -pedantic-errors
// C23 6.7.3.2 p4: width of a bit-field.
struct s { int a : 40; }; // error
