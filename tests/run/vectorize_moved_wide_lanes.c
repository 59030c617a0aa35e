// flags: -O3
/* The same, with registers of 32 bytes. */
#pragma GCC target("avx2")
#include "vectorize_moved_lanes.c"
