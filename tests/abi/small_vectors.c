/* Vectors that no register of their own holds: those below eight bytes travel like integers, those of one float in memory. */
#include <stdarg.h>
#include <stdio.h>

#define VECTORS(X)                                                                                                            \
  X(qi1, char, 1) X(qi2, char, 2) X(qi4, char, 4) X(qi8, char, 8) X(hi1, short, 1) X(hi2, short, 2) X(si1, int, 1)               \
  X(di1, long, 1) X(hf1, _Float16, 1) X(hf2, _Float16, 2) X(hf4, _Float16, 4) X(sf1, float, 1) X(sf2, float, 2) X(df1, double, 1) \
  X(xf1, long double, 1) X(tf1, __float128, 1)
#define DECLARE(name, element, lanes)                                                                                         \
  typedef element name __attribute__((vector_size(lanes * sizeof(element))));                                                   \
  struct s_##name { name v; int tail; };                                                                                        \
  name id_##name(int before, name v, double after);                                                                             \
  struct s_##name in_##name(struct s_##name s, name last);                                                                      \
  double many_##name(long a, long b, long c, long d, long e, name f, name g, long h, name i);                                   \
  double va_##name(int count, ...);
VECTORS(DECLARE)

#ifdef CALLEE
#define DEFINE(name, element, lanes)                                                                                          \
  name id_##name(int before, name v, double after) { v[0] += before; v[lanes - 1] += after; return v; }                         \
  struct s_##name in_##name(struct s_##name s, name last) { s.v[0] += last[lanes - 1]; s.tail++; return s; }                    \
  double many_##name(long a, long b, long c, long d, long e, name f, name g, long h, name i) {                                  \
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * (double)f[0] + 7 * (double)g[lanes - 1] + 8 * h + 9 * (double)i[0];          \
  }                                                                                                                             \
  double va_##name(int count, ...) {                                                                                            \
    va_list list;                                                                                                               \
    va_start(list, count);                                                                                                      \
    double sum = 0;                                                                                                             \
    for (int n = 0; n < count; n++) {                                                                                           \
      name v = va_arg(list, name);                                                                                              \
      sum = sum * 3 + (double)v[0] + va_arg(list, int) + (double)v[lanes - 1];                                                  \
    }                                                                                                                           \
    va_end(list);                                                                                                               \
    return sum;                                                                                                                 \
  }
VECTORS(DEFINE)
#endif

#ifdef CALLER
#define CALL(name, element, lanes)                                                                                            \
  {                                                                                                                             \
    name a, b, r;                                                                                                               \
    for (int i = 0; i < lanes; i++) a[i] = 5 + i, b[i] = 20 - i;                                                                \
    r = id_##name(3, a, 4);                                                                                                     \
    struct s_##name s = in_##name((struct s_##name){a, 7}, b);                                                                  \
    printf(#name " %g %g, %g %d", (double)r[0], (double)r[lanes - 1], (double)s.v[0], s.tail);                                  \
    printf(", %g %g\n", many_##name(1, 2, 3, 4, 5, a, b, 6, a), va_##name(6, a, 1, b, 2, a, 3, b, 4, a, 5, b, 6));              \
  }
int main(void) {
  VECTORS(CALL)
  return 0;
}
#endif
