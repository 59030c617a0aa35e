_Static_assert(1 == 2, "no good");
_Static_assert(1, "fine");
int n; _Static_assert(n, "x");
_Static_assert(1.0, "y");
struct s { _Static_assert(sizeof(int) == 2, "size"); int a; };
