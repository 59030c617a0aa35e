// flags: -P
a
#include "no_such_file.h"
b
