// flags: -P -Wundef
#define QUIET(x) _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wundef\"") x \
    _Pragma("GCC diagnostic pop")
QUIET(a) QUIET(QUIET(b))
#if STILL_ON
#endif
