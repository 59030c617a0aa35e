#include "include/system.h"
#warning shown
