/* The x86 intrinsics of gcc's name. */
#ifndef _X86INTRIN_H_INCLUDED
#define _X86INTRIN_H_INCLUDED 1

#include <x86gprintrin.h>
#include <immintrin.h>

#endif
