int a __attribute__((nonsense));
int b __attribute__((aligned(3)));
int c __attribute__((section(5)));
int d __attribute__((visibility("odd")));
int e __attribute__((mode(XYZ)));
typedef int v __attribute__((vector_size(3)));
void f(void) __attribute__((deprecated("use g"))); void g(void) { f(); }
__attribute__((warn_unused_result)) int h(void); void i(void) { h(); }
[[nonsense]] int j;
__attribute__((noreturn)) void k(void) { }
