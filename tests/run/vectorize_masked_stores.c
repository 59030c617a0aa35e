/* Stores that only some iterations run, where an instruction stores some lanes of a vector. */
#pragma GCC target("avx2")
#include "vectorize_conditional_stores.c"
