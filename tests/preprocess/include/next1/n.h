first
#if __has_include_next(<n.h>)
#include_next <n.h>
#endif
