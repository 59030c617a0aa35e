/* Everything of the vector headers, and the general-register instructions. A function may call those whose instruction set it may
   use: by -m, #pragma GCC target or the target attribute. */
#ifndef _IMMINTRIN_H_INCLUDED
#define _IMMINTRIN_H_INCLUDED 1

#include <mmintrin.h>
#include <xmmintrin.h>
#include <emmintrin.h>
#include <pmmintrin.h>
#include <tmmintrin.h>
#include <smmintrin.h>
#include <nmmintrin.h>
#include <wmmintrin.h>
#include <shaintrin.h>
#include <avxintrin.h>
#include <avx2intrin.h>
#include <fmaintrin.h>
#include <f16cintrin.h>
#if __TCC_RS_READS_AVX512__
#include <avx512intrin.h>
#endif
#include <x86gprintrin.h>

#endif
