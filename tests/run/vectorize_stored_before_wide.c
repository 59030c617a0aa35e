/* Loops that load what the iteration before has stored, in vectors of 32 bytes. */
#pragma GCC target("avx2")
#include "vectorize_stored_before.c"
