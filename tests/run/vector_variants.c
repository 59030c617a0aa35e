// interpreter: calls of symbols that file-scope assembly or other instruction sets define
// lli: names of other instruction sets in file-scope assembly, which its linker does not expect
// Variants of functions for vectors, called as the vector function ABI says.
#include <stdio.h>
#include <string.h>

#define LANES(type, name, count) typedef type name __attribute__((vector_size(count * sizeof(type))))
LANES(int, i4, 4); LANES(int, i8, 8); LANES(int, i2, 2); LANES(float, f4, 4); LANES(float, f8, 8); LANES(float, f2, 2);
LANES(double, d2, 2); LANES(double, d4, 4); LANES(long, l2, 2); LANES(long, l4, 4); LANES(char, c2, 2); LANES(char, c4, 4);
LANES(short, s8, 8); LANES(unsigned char, u8, 8); LANES(unsigned char, u16, 16);

__attribute__((simd)) int both(int a, float b) { return a * 2 + (int)b; }
__attribute__((simd("notinbranch"))) double mixed(double a, float b, char c, long d) { return a + b * 2 + c * 3 + d * 5; }
__attribute__((simd("notinbranch"))) float wider(double a, long b) { return a * 2 + b; }
__attribute__((simd("inbranch"))) short narrow(short a, unsigned char b) { return a * 3 + b; }
__attribute__((simd("notinbranch"))) _Bool truth(_Bool a) { return !a; }
__attribute__((simd("notinbranch"))) int *place(int *p, long n) { return p + n; }
static int calls;
__attribute__((simd)) void count(int n) { calls += n; }
__attribute__((simd("notinbranch"))) int renamed(int a) __asm__("other_name");
int renamed(int a) { return -a; }
__attribute__((simd("notinbranch"))) int old(a, b) int a; unsigned char b; { return a + b; }
__attribute__((simd)) int empty() { return calls++; }
// Nobody else can call what is static; a function that its variants cannot be made of has none.
static __attribute__((simd, unused)) int local(int a) { return a; }
__attribute__((simd, noclone)) int alone(int a) { return a; }

i4 _ZGVbN4vv_both(i4, f4);
i4 _ZGVbM4vv_both(i4, f4, i4);
d2 _ZGVbN2vvvv_mixed(d2, f2, c2, l2);
f4 _ZGVbN4vv_wider(d2, d2, l2, l2);
s8 _ZGVbM8vv_narrow(s8, u8, s8);
u16 _ZGVbN16v_truth(u16);
l2 _ZGVbN2vv_place(l2, l2);
void _ZGVbN4v_count(i4);
void _ZGVbM4v_count(i4, i4);
i4 _ZGVbN4v_other_name(i4);
LANES(unsigned char, u4, 4);
i4 _ZGVbN4vv_old(i4, u4);
i4 _ZGVbN4_empty(void);
#pragma GCC push_options
#pragma GCC target("avx")
i4 _ZGVcN4vv_both(i4, f4);
d4 _ZGVcN4vvvv_mixed(d4, f4, c4, l2, l2);
__attribute__((noinline)) static void with_avx(void) {
  i4 a = _ZGVcN4vv_both((i4){1, 2, 3, 4}, (f4){10, 20, 30, 40});
  d4 b = _ZGVcN4vvvv_mixed((d4){1, 2, 3, 4}, (f4){.5, 1.5, 2.5, 3.5}, (c4){1, 2, 3, 4}, (l2){10, 20}, (l2){30, 40});
  printf("%d %d %d %d, %g %g %g %g\n", a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]);
}
#pragma GCC target("avx2")
i8 _ZGVdM8vv_both(i8, f8, i8);
d4 _ZGVdN4vvvv_mixed(d4, f4, c4, l4);
__attribute__((noinline)) static void with_avx2(void) {
  i8 mask = {-1, 0, -1, 0, 1, 0, -1, -1};
  i8 a = _ZGVdM8vv_both((i8){1, 2, 3, 4, 5, 6, 7, 8}, (f8){10, 20, 30, 40, 50, 60, 70, 80}, mask);
  d4 b = _ZGVdN4vvvv_mixed((d4){1, 2, 3, 4}, (f4){.5, 1.5, 2.5, 3.5}, (c4){1, 2, 3, 4}, (l4){10, 20, 30, 40});
  printf("%d %d %d %d %d, %g %g %g %g\n", a[0], a[2], a[4], a[6], a[7], b[0], b[1], b[2], b[3]);
}
#pragma GCC pop_options

// Called with 512-bit registers, which this file's code does not use otherwise.
__asm__(".text\n.type call_512, @function\ncall_512:\n"
        "pushq %rbp\nmovq %rsp, %rbp\nmovq %rdi, %rax\nmovl %esi, %edi\npushq %rax\npushq %rax\n"
        "vmovups (%rax), %zmm0\nvmovups 64(%rax), %zmm1\ncall _ZGVeM16vv_both\n"
        "movq -8(%rbp), %rax\nvmovups %zmm0, 128(%rax)\nvzeroupper\nleave\nret\n.size call_512, . - call_512\n");
void call_512(void *, unsigned mask) __asm__("call_512");
static void with_avx512(void) {
  struct { int a[16]; float b[16]; int r[16]; } x;
  for (int i = 0; i < 16; i++) x.a[i] = i, x.b[i] = 100 * i;
  call_512(&x, 0x8421);
  printf("%d %d %d %d\n", x.r[0], x.r[5], x.r[10], x.r[15]);
}

int main(void) {
  i4 a = _ZGVbN4vv_both((i4){1, 2, 3, 4}, (f4){10, 20, 30, 40});
  i4 m = _ZGVbM4vv_both((i4){1, 2, 3, 4}, (f4){10, 20, 30, 40}, (i4){0, -1, 0, -1});
  printf("%d %d %d %d, %d %d\n", a[0], a[1], a[2], a[3], m[1], m[3]);
  d2 d = _ZGVbN2vvvv_mixed((d2){1, 2}, (f2){.5, 1.5}, (c2){1, -2}, (l2){10, 20});
  f4 w = _ZGVbN4vv_wider((d2){1, 2}, (d2){3, 4}, (l2){10, 20}, (l2){30, 40});
  printf("%g %g, %g %g %g %g\n", d[0], d[1], w[0], w[1], w[2], w[3]);
  s8 s = _ZGVbM8vv_narrow((s8){1, 2, 3, 4, 5, 6, 7, 8}, (u8){250, 1, 2, 3, 4, 5, 6, 7}, (s8){-1, 0, 0, -1, 0, 0, 0, -1});
  u16 t = _ZGVbN16v_truth((u16){0, 1, 0, 1});
  printf("%d %d %d, %d %d %d %d\n", s[0], s[3], s[7], t[0], t[1], t[2], t[3]);
  static int array[8];
  l2 p = _ZGVbN2vv_place((l2){(long)array, (long)(array + 1)}, (l2){2, 3});
  printf("%d %d\n", (int)((int *)p[0] - array), (int)((int *)p[1] - array));
  _ZGVbN4v_count((i4){1, 2, 3, 4});
  _ZGVbM4v_count((i4){100, 200, 300, 400}, (i4){-1, 0, 0, -1});
  i4 r = _ZGVbN4v_other_name((i4){1, 2, 3, 4});
  printf("%d, %d %d\n", calls, r[0], r[3]);
  i4 o = _ZGVbN4vv_old((i4){1, 2, 3, 4}, (u4){1, 2, 200, 255}), e = _ZGVbN4_empty();
  printf("%d %d, %d %d\n", o[0], o[3], e[0], e[3]);
  if (__builtin_cpu_supports("avx"))
    with_avx();
  else
    puts("12 24 36 48, 55 114 173 232");
  if (__builtin_cpu_supports("avx2"))
    with_avx2();
  else
    puts("12 36 60 84 96, 55 114 173 232");
  if (__builtin_cpu_supports("avx512f"))
    with_avx512();
  else
    puts("0 510 1020 1530");
  return 0;
}
