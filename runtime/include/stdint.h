/* C23 7.22 Integer types: the C library's where there is one, ours when freestanding. */
#ifndef _TCC_STDINT_WRAP_H
#define _TCC_STDINT_WRAP_H 1
#if __STDC_HOSTED__ && __has_include_next(<stdint.h>)
#include_next <stdint.h>
#else
#include <stdint-tcc.h>
#endif
#endif
