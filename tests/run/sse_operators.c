// checked: signed-overflow, lanes of a vector
// flags: -w
// Operators on vectors under gcc's names for instructions.
#include <stdio.h>

typedef char v16 __attribute__((vector_size(16)));
typedef short v8 __attribute__((vector_size(16)));
typedef int v4 __attribute__((vector_size(16)));
typedef long long v2 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));

__attribute__((noinline)) v8 shorts(v8 a, v8 b) { return __builtin_ia32_psubw128(__builtin_ia32_paddw128(a, b), __builtin_ia32_pmullw128(b, b)); }
__attribute__((noinline)) v4 ints(v4 a, v4 b) { return __builtin_ia32_pcmpgtd128(a, b) + __builtin_ia32_paddd128(a, b); }
__attribute__((noinline)) v16 bytes(v16 a, v16 b) { return __builtin_ia32_pcmpeqb128(a, __builtin_ia32_paddb128(b, b)); }
__attribute__((noinline)) v2 bits(v2 a, v2 b) { return __builtin_ia32_pxor128(__builtin_ia32_por128(a, b), __builtin_ia32_pand128(a, (v2)(v4){1, 2, 3, 4})); }
__attribute__((noinline)) f4 floats(f4 a, f4 b) { return __builtin_ia32_divps(__builtin_ia32_mulps(a, b), __builtin_ia32_subps(a, b)); }
__attribute__((noinline)) d2 doubles(d2 a, d2 b) { return __builtin_ia32_addpd(a, b); }

int main(void) {
  v8 s = shorts((v8){32767, 1, 2, 3, 4, 5, 6, 7}, (v8){1, 300, 3, 4, 5, 6, 7, 8});
  v4 i = ints((v4){2147483647, 5, -1, 0}, (v4){1, 7, -2, 0});
  v16 b = bytes((v16){2, 4, -2, 5}, (v16){1, 2, 127, 3});
  v2 q = bits((v2){12, 5}, (v2){3, -8});
  f4 f = floats((f4){3, 4, 5, 6}, (f4){1, 2, 3, 4});
  d2 d = doubles((d2){1.5, 2}, (d2){1, -2});
  printf("%d %d %d\n", s[0], s[1], s[7]);
  printf("%d %d %d %d\n", i[0], i[1], i[2], i[3]);
  printf("%d %d %d %d\n", b[0], b[1], b[2], b[3]);
  printf("%lld %lld %g %g %g\n", q[0], q[1], f[0], f[3], d[0]);
  return 0;
}
