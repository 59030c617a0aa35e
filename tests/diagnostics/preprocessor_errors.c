#include "no-such-file.h"
#error this is wrong
#warning take care
#if 1 +
#endif
#foo
#define F(x, x) 1
#define G(x) #y
#ifdef A
#endif trailing
#else
#undef
int ok = F(1;
