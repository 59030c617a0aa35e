// flags: -P -Wundef
#include "include/bad.h"
#define OPERANDS 1 +
#if OPERANDS
#endif
#define OUTER(x) INNER(x)
#define INNER(x) x ## +
OUTER(a)
