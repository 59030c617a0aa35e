#if UNDEFINED_NAME
#endif
#include "worse.h"
