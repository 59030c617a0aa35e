/* Products and quotients of complex constants: the whole range, and Annex G's infinities and NaNs. */
#include <stdio.h>

#define INF __builtin_inf()
#define NAN __builtin_nan("")
#define Z(x, y) __builtin_complex((double)(x), (double)(y))
#define F(x, y) __builtin_complex((float)(x), (float)(y))
#define L(x, y) __builtin_complex((long double)(x), (long double)(y))

static const double _Complex quotients[] = {
    1.0 / (1e200 + 1e200i), 1e-160 / Z(1e-160, 1e-160), Z(1e300, 1e-300) / Z(1e300, 1e300), Z(1, 2) / Z(3, 4),
    Z(5e-324, 5e-324) / Z(5e-324, 0), Z(1, 1) / Z(0, NAN), Z(1, 1) / Z(0, 0), Z(-1, 0) / Z(-0.0, 0),
    Z(INF, NAN) / Z(1, 2), Z(3, -4) / Z(INF, INF), Z(INF, 0) / Z(INF, 0), Z(1e308, 1e308) / Z(0.5, 0),
};
static const double _Complex products[] = {
    Z(1, 2) * Z(3, 4), Z(INF, NAN) * Z(1, 1), Z(INF, INF) * Z(INF, -INF), Z(1e200, 1e200) * Z(1e200, 1e200),
    Z(NAN, 1) * Z(2, 3), Z(0, INF) * Z(0, 1), Z(NAN, INF) * Z(0, 0),
};
static const float _Complex narrow[] = {F(1, 2) / F(3e38, 3e38), F(1e-40, 1e-40) / F(1e-40, 1e-40)};
static const long double _Complex wide[] = {L(1, 1) / L(1e4000L, 1e4000L), L(0x1p-16440L, 0) / L(0x1p-16440L, 0x1p-16440L)};

/* The sign of a NaN is nobody's business. */
static void part(double x, const char *end) {
  if (x != x) printf("nan%s", end);
  else printf("%.15g%s", x, end);
}

int main(void) {
  for (unsigned i = 0; i < sizeof quotients / sizeof *quotients; i++) {
    part(__real__ quotients[i], " ");
    part(__imag__ quotients[i], "\n");
  }
  for (unsigned i = 0; i < sizeof products / sizeof *products; i++) {
    part(__real__ products[i], " ");
    part(__imag__ products[i], "\n");
  }
  for (int i = 0; i < 2; i++) printf("%g %g\n", __real__ narrow[i], __imag__ narrow[i]);
  for (int i = 0; i < 2; i++) printf("%Lg %Lg\n", __real__ wide[i], __imag__ wide[i]);
  return 0;
}
