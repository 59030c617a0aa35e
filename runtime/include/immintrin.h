/* Everything of the vector headers that is generated: MMX, SSE and SSE2, and the general-register instructions. */
#ifndef _IMMINTRIN_H_INCLUDED
#define _IMMINTRIN_H_INCLUDED 1

#include <mmintrin.h>
#include <xmmintrin.h>
#include <emmintrin.h>
#include <x86gprintrin.h>

#endif
