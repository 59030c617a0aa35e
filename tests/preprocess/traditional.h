#ifndef GUARD
#define GUARD
header: spaced
#endif
