/* C17 7.23 _Noreturn. */
#ifndef _STDNORETURN_H
#define _STDNORETURN_H 1
#define noreturn _Noreturn
#endif
