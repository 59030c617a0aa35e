/* C23 7.20 Checked integer arithmetic. */
#ifndef _STDCKDINT_H
#define _STDCKDINT_H 1
#define ckd_add(result, a, b) ((_Bool)__builtin_add_overflow(a, b, result))
#define ckd_sub(result, a, b) ((_Bool)__builtin_sub_overflow(a, b, result))
#define ckd_mul(result, a, b) ((_Bool)__builtin_mul_overflow(a, b, result))
#define __STDC_VERSION_STDCKDINT_H__ 202311L
#endif
