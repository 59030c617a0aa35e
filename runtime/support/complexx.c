/* Provides: __mulxc3 __divxc3 */
#include "complex.h"

#define INFINITE __builtin_infl()
#define COPYSIGN __builtin_copysignl
#define ABS __builtin_fabsl
COMPLEX_MULTIPLY(__mulxc3, long double)
COMPLEX_DIVIDE(__divxc3, long double, __LDBL_MAX__ / 2, __LDBL_MIN__, __LDBL_EPSILON__, 0x1p64L)
