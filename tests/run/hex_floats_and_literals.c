#include <stdio.h>
#include <limits.h>
#include <float.h>

int main(void) {
  printf("%g %g %g %g\n", 0x1p-3, 0x1.8p1, 1e3, .5e-1);
  printf("%d %d %d\n", 0777, 0xFF, 0b101);
  printf("%zu %zu %zu %zu %zu\n", sizeof 1, sizeof 2147483648, sizeof 0x80000000, sizeof 1u, sizeof 1ll);
  printf("%d\n", 0x80000000 > 0);
  printf("%lu %ld %llu\n", 0xffffffffffffffff, 9223372036854775807, 18446744073709551615ull);
  printf("%g %g %Lg\n", 1.5f, 1e-40, 1e4000L);
  printf("%.9g %.17g %.21Lg\n", FLT_MAX, DBL_MIN, LDBL_EPSILON);
  printf("%d %d %d %d\n", FLT_DIG, DBL_MANT_DIG, LDBL_MAX_EXP, DECIMAL_DIG);
  printf("%d %u %ld %d\n", INT_MIN, UINT_MAX, LONG_MIN, SCHAR_MIN);
  printf("%d %d\n", 'A' + 1, '\x41' == 'A');
  printf("%.17g %.17g %.17g\n", 0.1, 1.7976931348623157e308, 3.0e-324);
  printf("%.9g %.9g\n", 16777217.0f, 0.1f);
  return 0;
}
