// flags: -P -Iinclude/next1 -Iinclude/next2
#include <n.h>
#if __has_include_next(<n.h>)
#endif
