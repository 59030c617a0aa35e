// flags: -std=c17 -pedantic-errors
// C23 6.7.3.4 p3: one kind of tag.
struct s { int a; };
union s x; // error
