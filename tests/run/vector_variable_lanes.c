// checked: signed-overflow, lanes of a vector
// Lanes of vectors read and written at indices that are not constants.
int printf(const char *, ...);
#define NOINLINE __attribute__((noinline))
typedef signed char vc __attribute__((vector_size(16)));
NOINLINE signed char get_c(const vc *v, int i) { vc x = *v + 1; return x[i]; }
NOINLINE void set_c(vc *v, int i, signed char e) { vc x = *v + 1; x[i] = e; *v = x * 2; }
typedef short vs __attribute__((vector_size(16)));
NOINLINE short get_s(const vs *v, int i) { vs x = *v + 1; return x[i]; }
NOINLINE void set_s(vs *v, int i, short e) { vs x = *v + 1; x[i] = e; *v = x * 2; }
typedef int vi __attribute__((vector_size(16)));
NOINLINE int get_i(const vi *v, int i) { vi x = *v + 1; return x[i]; }
NOINLINE void set_i(vi *v, int i, int e) { vi x = *v + 1; x[i] = e; *v = x * 2; }
typedef long vl __attribute__((vector_size(16)));
NOINLINE long get_l(const vl *v, int i) { vl x = *v + 1; return x[i]; }
NOINLINE void set_l(vl *v, int i, long e) { vl x = *v + 1; x[i] = e; *v = x * 2; }
typedef float vf __attribute__((vector_size(16)));
NOINLINE float get_f(const vf *v, int i) { vf x = *v + 1; return x[i]; }
NOINLINE void set_f(vf *v, int i, float e) { vf x = *v + 1; x[i] = e; *v = x * 2; }
typedef double vd __attribute__((vector_size(16)));
NOINLINE double get_d(const vd *v, int i) { vd x = *v + 1; return x[i]; }
NOINLINE void set_d(vd *v, int i, double e) { vd x = *v + 1; x[i] = e; *v = x * 2; }
typedef int vw __attribute__((vector_size(32)));
NOINLINE int get_w(const vw *v, int i) { vw x = *v + 1; return x[i]; }
NOINLINE void set_w(vw *v, int i, int e) { vw x = *v + 1; x[i] = e; *v = x * 2; }
typedef double vq __attribute__((vector_size(32)));
NOINLINE double get_q(const vq *v, int i) { vq x = *v + 1; return x[i]; }
NOINLINE void set_q(vq *v, int i, double e) { vq x = *v + 1; x[i] = e; *v = x * 2; }
int main(void) {
  for (int i = 0; i < 16; i++) {
    vc v;
    for (int k = 0; k < 16; k++) v[k] = k * 3 - 7;
    printf("%d ", get_c(&v, i));
    set_c(&v, i, 50 + i);
    for (int k = 0; k < 16; k++) printf("%d ", v[k]);
    printf("\n");
  }
  for (int i = 0; i < 8; i++) {
    vs v;
    for (int k = 0; k < 8; k++) v[k] = k * 3 - 7;
    printf("%d ", get_s(&v, i));
    set_s(&v, i, 50 + i);
    for (int k = 0; k < 8; k++) printf("%d ", v[k]);
    printf("\n");
  }
  for (int i = 0; i < 4; i++) {
    vi v;
    for (int k = 0; k < 4; k++) v[k] = k * 3 - 7;
    printf("%d ", get_i(&v, i));
    set_i(&v, i, 50 + i);
    for (int k = 0; k < 4; k++) printf("%d ", v[k]);
    printf("\n");
  }
  for (int i = 0; i < 2; i++) {
    vl v;
    for (int k = 0; k < 2; k++) v[k] = k * 3 - 7;
    printf("%ld ", get_l(&v, i));
    set_l(&v, i, 50 + i);
    for (int k = 0; k < 2; k++) printf("%ld ", v[k]);
    printf("\n");
  }
  for (int i = 0; i < 4; i++) {
    vf v;
    for (int k = 0; k < 4; k++) v[k] = k * 3 - 7;
    printf("%g ", get_f(&v, i));
    set_f(&v, i, 50 + i);
    for (int k = 0; k < 4; k++) printf("%g ", v[k]);
    printf("\n");
  }
  for (int i = 0; i < 2; i++) {
    vd v;
    for (int k = 0; k < 2; k++) v[k] = k * 3 - 7;
    printf("%g ", get_d(&v, i));
    set_d(&v, i, 50 + i);
    for (int k = 0; k < 2; k++) printf("%g ", v[k]);
    printf("\n");
  }
  for (int i = 0; i < 8; i++) {
    vw v;
    for (int k = 0; k < 8; k++) v[k] = k * 3 - 7;
    printf("%d ", get_w(&v, i));
    set_w(&v, i, 50 + i);
    for (int k = 0; k < 8; k++) printf("%d ", v[k]);
    printf("\n");
  }
  for (int i = 0; i < 4; i++) {
    vq v;
    for (int k = 0; k < 4; k++) v[k] = k * 3 - 7;
    printf("%g ", get_q(&v, i));
    set_q(&v, i, 50 + i);
    for (int k = 0; k < 4; k++) printf("%g ", v[k]);
    printf("\n");
  }
  return 0;
}
