// flags: -traditional-cpp -undef -P
/* A comment goes without a trace: one/* *//two are joined, and white   space stays. */
one/* */two   three/* over
two lines */four
#define obj  first   second  
 #define indented is text
#  define spaced 3
#define f(x) [x]
#define none() <>
#define quoted(x) "x" 'x' x
#define paste(a,b) a/**/b
obj f( 1 ) f (2) f none() f( spaced )
quoted(word) quoted("a\"b") quoted(f(1)) "obj" 'obj
paste(le,ft) paste(
  many,
  lines ) f((a,b)) f("a,b)") 1spaced 0xspaced
f
(next line) f
not a call
#define chain f(
chain into) // no comment: obj
#define hash(x) #x a##x
hash(obj)
splic\
ed
#if spaced == 3 && defined obj && defined(f)
#endif
#if spaced /**/ - 1 != 2
wrong
#elif 0xffffffffffffffff < 0
numbers are signed
#else
wrong
#endif
#ifdef nothing
 'unterminated
 #endif is no directive here
# if 1
# endif
#else
taken
#endif
#undef spaced
spaced __LINE__ f(__LINE__) \
__LINE__
#define later spaced
#define spaced 4
later
#pragma kept obj
#define file "traditional.h"
#include file
#include "traditional.h"
#line 500 "renamed.c"
__LINE__ __FILE__
