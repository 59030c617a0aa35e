#define INNER(x) ((x) + undefined_in_macro)
#define OUTER(y) INNER(y) * 2
int f(int a) { return OUTER(a); }
