// flags: -std=c90 -pedantic-errors -Wno-c90-c99-compat
/* What `-Wno-c90-c99-compat` tolerates, and an array that is no lvalue: before C99 it does not decay. */
long long wide;
void later(void) { wide = 3; int i; }
struct holder { char c[17]; };
struct holder make(void);
char kept[sizeof (0, make().c) == 17 ? 1 : -1];
/* Identifiers have no universal character names, so this is the macro `a`. */
#define a b(
#define b(x) q
int a\u00aa);
int \u00e9;
