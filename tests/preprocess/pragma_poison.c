// flags: -P
#define before gets
#pragma GCC poison gets printf
gets
#ifdef printf
#endif
#define gets 1
before
