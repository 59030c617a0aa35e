/* K&R C's variable arguments need a convention no ABI has any more. */
#ifndef _VARARGS_H
#define _VARARGS_H 1
#error "<varargs.h> is not there; use <stdarg.h>"
#endif
