// flags: -P -Iinclude
#if __has_include("include/plain.h") && __has_include(<plain.h>) && !__has_include(<nope.h>)
yes
#endif
#define H <plain.h>
#if __has_include(H)
macro
#endif
#ifdef __has_include
defined
#endif
#if defined(__has_include) && __has_include("nope.h")
no
#else
neither
#endif
__has_include
