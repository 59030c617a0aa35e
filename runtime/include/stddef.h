/* C23 7.21 Common definitions.

   glibc's headers ask for single definitions by defining __need_size_t and its like before including this file; then only those are
   given and the include guard stays unset. */

#if !defined __need_wchar_t && !defined __need_size_t && !defined __need_ptrdiff_t && !defined __need_NULL && !defined __need_wint_t
#define __TCC_STDDEF_ALL 1
#define _STDDEF_H 1
#define _STDDEF_H_ 1
#endif

#if (defined __TCC_STDDEF_ALL || defined __need_ptrdiff_t) && !defined _PTRDIFF_T
#define _PTRDIFF_T 1
#define _PTRDIFF_T_ 1
#define __PTRDIFF_T 1
#ifndef __PTRDIFF_TYPE__
#define __PTRDIFF_TYPE__ long int
#endif
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#endif
#undef __need_ptrdiff_t

#if (defined __TCC_STDDEF_ALL || defined __need_size_t) && !defined _SIZE_T
#define _SIZE_T 1
#define _SIZE_T_ 1
#define __SIZE_T 1
#define __size_t__ 1
#define _GCC_SIZE_T 1
#ifndef __SIZE_TYPE__
#define __SIZE_TYPE__ long unsigned int
#endif
typedef __SIZE_TYPE__ size_t;
#endif
#undef __need_size_t

#if (defined __TCC_STDDEF_ALL || defined __need_wchar_t) && !defined _WCHAR_T
#define _WCHAR_T 1
#define _WCHAR_T_ 1
#define __WCHAR_T 1
#define __wchar_t__ 1
#define _GCC_WCHAR_T 1
#ifndef __WCHAR_TYPE__
#define __WCHAR_TYPE__ int
#endif
typedef __WCHAR_TYPE__ wchar_t;
#endif
#undef __need_wchar_t

#if defined __need_wint_t && !defined _WINT_T
#define _WINT_T 1
#ifndef __WINT_TYPE__
#define __WINT_TYPE__ unsigned int
#endif
typedef __WINT_TYPE__ wint_t;
#endif
#undef __need_wint_t

#if defined __TCC_STDDEF_ALL || defined __need_NULL
#undef NULL
#define NULL ((void *)0)
#endif
#undef __need_NULL

#ifdef __TCC_STDDEF_ALL
#undef __TCC_STDDEF_ALL

#undef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)

#if defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L && !defined _GCC_MAX_ALIGN_T
#define _GCC_MAX_ALIGN_T 1
typedef struct {
  long long __max_align_ll __attribute__((__aligned__(__alignof__(long long))));
  long double __max_align_ld __attribute__((__aligned__(__alignof__(long double))));
  __float128 __max_align_f128 __attribute__((__aligned__(__alignof__(__float128))));
} max_align_t;
#endif

#if defined __STDC_VERSION__ && __STDC_VERSION__ > 201710L
#ifndef _TCC_NULLPTR_T
#define _TCC_NULLPTR_T 1
typedef __typeof__(nullptr) nullptr_t;
#endif
#undef unreachable
#define unreachable() (__builtin_unreachable())
#define __STDC_VERSION_STDDEF_H__ 202311L
#endif
#endif
