// flags: -P -fmax-include-depth=3
#include "include/recursive.h"
