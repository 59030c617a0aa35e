second
#if __has_include_next(<n.h>)
never
#endif
