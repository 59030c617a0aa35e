#if !defined(DEFINED_GUARD)
#define DEFINED_GUARD
by defined
#endif
