// flags: -O0
// Without optimisation static functions count, too: said where they stand.
// Vectors of decimal numbers have no registers anywhere.
typedef int v8 __attribute__((vector_size(32)));
typedef _Decimal64 d4 __attribute__((vector_size(32)));
d4 decimal(d4 a, d4 b) { return a + b; }
static int first(v8 a) { return a[1]; }
int calls(v8 *p) { return first(*p); }
