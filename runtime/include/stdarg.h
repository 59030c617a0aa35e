/* C23 7.16 Variable arguments. glibc asks for __gnuc_va_list alone through __need___va_list. */

#ifndef _STDARG_H
#ifndef __need___va_list
#define _STDARG_H 1
#define _ANSI_STDARG_H_ 1
#endif
#undef __need___va_list

#ifndef __GNUC_VA_LIST
#define __GNUC_VA_LIST 1
typedef __builtin_va_list __gnuc_va_list;
#endif

#ifdef _STDARG_H
#if defined __STDC_VERSION__ && __STDC_VERSION__ > 201710L
#define va_start(ap, ...) __builtin_va_start(ap, 0)
#define __STDC_VERSION_STDARG_H__ 202311L
#else
#define va_start(ap, last) __builtin_va_start(ap, last)
#endif
#define va_end(ap) __builtin_va_end(ap)
#define va_arg(ap, type) __builtin_va_arg(ap, type)
#if !defined __STRICT_ANSI__ || (defined __STDC_VERSION__ && __STDC_VERSION__ >= 199901L)
#define va_copy(to, from) __builtin_va_copy(to, from)
#endif
#define __va_copy(to, from) __builtin_va_copy(to, from)

#ifndef _VA_LIST_DEFINED
#define _VA_LIST_DEFINED 1
#define _VA_LIST 1
#define _VA_LIST_ 1
#define _VA_LIST_T_H 1
typedef __gnuc_va_list va_list;
#endif
#endif
#endif
