// flags: -Iinclude
before
#include "include/plain.h"
after
#include "include/guarded.h"
#include "include/guarded.h"
done




far




farther away




x
