// flags: -P -Wunused-macros
#define USED 1
#define UNUSED 2
#define TESTED 3
#define GONE 4
#undef GONE
#ifdef TESTED
USED
#endif
#include "include/macros.h"
