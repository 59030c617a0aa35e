// flags: -O2
// Vectors that are passed in memory where AVX is not there: said once for arguments and once for results.
typedef int v8 __attribute__((vector_size(32)));
static inline v8 inner(v8 a) { return a + 1; }
v8 outer(v8 a) { return inner(a); }
extern v8 elsewhere(v8);
v8 again(v8 *p) { return elsewhere(*p); }
__attribute__((target("avx"))) v8 with(v8 a) { return a; }
