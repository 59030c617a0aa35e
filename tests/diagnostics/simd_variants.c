// flags: -O1
// Functions that have no variants for vectors.
__attribute__((simd)) long double wide(double a) { return a; }
__attribute__((simd)) int record(struct pair { int a, b; } p) { return p.a; }
__attribute__((simd)) _Complex float complex_result(float x) { return x; }
__attribute__((simd)) int variable;
__attribute__((simd)) long double declared(double);
static __attribute__((simd, unused)) long double local(double a) { return a; }
