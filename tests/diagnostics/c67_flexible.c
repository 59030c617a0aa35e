// flags: -std=c17 -pedantic-errors
// C23 6.7.3.2 p3: the flexible array member is last.
struct s { int n; int a[]; int b; }; // error
