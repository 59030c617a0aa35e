// Objects without members in lists without inner braces: each takes one value.
union u {};
struct s {};
union u a[] = { 1, 2 };
struct s b[] = { 1 };
struct s c[2] = { 1, 2 };
struct t { struct s e; int x; } d = { 1, 2 };
struct t f[] = { 1, 2, 3 };
int none[][0] = { 1, 2 };
_Static_assert(sizeof f == 8, "");
