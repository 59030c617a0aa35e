// flags: -P
#if 1
a
#elif 1
b
#else
c
#endif
#if 0
#if 1
x
#else
y
#endif
#elif defined(FOO) || !defined BAR
d
#endif
#ifdef FOO
e
#else
f
#endif
#ifndef FOO
g
#endif
#if 0
'unterminated "quotes are fine here
#error not seen
#include <does/not/exist.h>
#unknown
/* #endif */ "/*" #else
// #endif
\
#endif
#elifndef FOO
h
#else
i
#endif
