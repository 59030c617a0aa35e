// flags: -std=c17 -pedantic-errors
// C23 6.9.1 p2: no auto or register outside.
auto int a; // error
