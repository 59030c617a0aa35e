// Sums of an index times a scale, a base and a small constant, in both widths: the constants around those that
// have shorter instructions.
int printf(const char *, ...);
#define NOINLINE __attribute__((noinline))
NOINLINE int f0(int x) { return x * 1 + -2; }
NOINLINE int f1(int x) { return x * 1 + -1; }
NOINLINE int f2(int x) { return x * 1 + 1; }
NOINLINE int f3(int x) { return x * 1 + 2; }
NOINLINE int f4(int x) { return x * 1 + 127; }
NOINLINE int f5(int x) { return x * 1 + 128; }
NOINLINE int f6(int x) { return x * 2 + -2; }
NOINLINE int f7(int x) { return x * 2 + -1; }
NOINLINE int f8(int x) { return x * 2 + 1; }
NOINLINE int f9(int x) { return x * 2 + 2; }
NOINLINE int f10(int x) { return x * 2 + 127; }
NOINLINE int f11(int x) { return x * 2 + 128; }
NOINLINE int f12(int x) { return x * 3 + -2; }
NOINLINE int f13(int x) { return x * 3 + -1; }
NOINLINE int f14(int x) { return x * 3 + 1; }
NOINLINE int f15(int x) { return x * 3 + 2; }
NOINLINE int f16(int x) { return x * 3 + 127; }
NOINLINE int f17(int x) { return x * 3 + 128; }
NOINLINE int f18(int x) { return x * 4 + -2; }
NOINLINE int f19(int x) { return x * 4 + -1; }
NOINLINE int f20(int x) { return x * 4 + 1; }
NOINLINE int f21(int x) { return x * 4 + 2; }
NOINLINE int f22(int x) { return x * 4 + 127; }
NOINLINE int f23(int x) { return x * 4 + 128; }
NOINLINE int f24(int x) { return x * 5 + -2; }
NOINLINE int f25(int x) { return x * 5 + -1; }
NOINLINE int f26(int x) { return x * 5 + 1; }
NOINLINE int f27(int x) { return x * 5 + 2; }
NOINLINE int f28(int x) { return x * 5 + 127; }
NOINLINE int f29(int x) { return x * 5 + 128; }
NOINLINE int f30(int x) { return x * 8 + -2; }
NOINLINE int f31(int x) { return x * 8 + -1; }
NOINLINE int f32(int x) { return x * 8 + 1; }
NOINLINE int f33(int x) { return x * 8 + 2; }
NOINLINE int f34(int x) { return x * 8 + 127; }
NOINLINE int f35(int x) { return x * 8 + 128; }
NOINLINE int f36(int x) { return x * 9 + -2; }
NOINLINE int f37(int x) { return x * 9 + -1; }
NOINLINE int f38(int x) { return x * 9 + 1; }
NOINLINE int f39(int x) { return x * 9 + 2; }
NOINLINE int f40(int x) { return x * 9 + 127; }
NOINLINE int f41(int x) { return x * 9 + 128; }
NOINLINE int f42(int x, int y) { return x + y * 1 + -1; }
NOINLINE int f43(int x, int y) { return x + y * 1 + 0; }
NOINLINE int f44(int x, int y) { return x + y * 1 + 1; }
NOINLINE int f45(int x, int y) { return x + y * 2 + -1; }
NOINLINE int f46(int x, int y) { return x + y * 2 + 0; }
NOINLINE int f47(int x, int y) { return x + y * 2 + 1; }
NOINLINE int f48(int x, int y) { return x + y * 4 + -1; }
NOINLINE int f49(int x, int y) { return x + y * 4 + 0; }
NOINLINE int f50(int x, int y) { return x + y * 4 + 1; }
NOINLINE int f51(int x, int y) { return x + y * 8 + -1; }
NOINLINE int f52(int x, int y) { return x + y * 8 + 0; }
NOINLINE int f53(int x, int y) { return x + y * 8 + 1; }
NOINLINE long f54(long x) { return x * 1 + -2; }
NOINLINE long f55(long x) { return x * 1 + -1; }
NOINLINE long f56(long x) { return x * 1 + 1; }
NOINLINE long f57(long x) { return x * 1 + 2; }
NOINLINE long f58(long x) { return x * 1 + 127; }
NOINLINE long f59(long x) { return x * 1 + 128; }
NOINLINE long f60(long x) { return x * 2 + -2; }
NOINLINE long f61(long x) { return x * 2 + -1; }
NOINLINE long f62(long x) { return x * 2 + 1; }
NOINLINE long f63(long x) { return x * 2 + 2; }
NOINLINE long f64(long x) { return x * 2 + 127; }
NOINLINE long f65(long x) { return x * 2 + 128; }
NOINLINE long f66(long x) { return x * 3 + -2; }
NOINLINE long f67(long x) { return x * 3 + -1; }
NOINLINE long f68(long x) { return x * 3 + 1; }
NOINLINE long f69(long x) { return x * 3 + 2; }
NOINLINE long f70(long x) { return x * 3 + 127; }
NOINLINE long f71(long x) { return x * 3 + 128; }
NOINLINE long f72(long x) { return x * 4 + -2; }
NOINLINE long f73(long x) { return x * 4 + -1; }
NOINLINE long f74(long x) { return x * 4 + 1; }
NOINLINE long f75(long x) { return x * 4 + 2; }
NOINLINE long f76(long x) { return x * 4 + 127; }
NOINLINE long f77(long x) { return x * 4 + 128; }
NOINLINE long f78(long x) { return x * 5 + -2; }
NOINLINE long f79(long x) { return x * 5 + -1; }
NOINLINE long f80(long x) { return x * 5 + 1; }
NOINLINE long f81(long x) { return x * 5 + 2; }
NOINLINE long f82(long x) { return x * 5 + 127; }
NOINLINE long f83(long x) { return x * 5 + 128; }
NOINLINE long f84(long x) { return x * 8 + -2; }
NOINLINE long f85(long x) { return x * 8 + -1; }
NOINLINE long f86(long x) { return x * 8 + 1; }
NOINLINE long f87(long x) { return x * 8 + 2; }
NOINLINE long f88(long x) { return x * 8 + 127; }
NOINLINE long f89(long x) { return x * 8 + 128; }
NOINLINE long f90(long x) { return x * 9 + -2; }
NOINLINE long f91(long x) { return x * 9 + -1; }
NOINLINE long f92(long x) { return x * 9 + 1; }
NOINLINE long f93(long x) { return x * 9 + 2; }
NOINLINE long f94(long x) { return x * 9 + 127; }
NOINLINE long f95(long x) { return x * 9 + 128; }
NOINLINE long f96(long x, long y) { return x + y * 1 + -1; }
NOINLINE long f97(long x, long y) { return x + y * 1 + 0; }
NOINLINE long f98(long x, long y) { return x + y * 1 + 1; }
NOINLINE long f99(long x, long y) { return x + y * 2 + -1; }
NOINLINE long f100(long x, long y) { return x + y * 2 + 0; }
NOINLINE long f101(long x, long y) { return x + y * 2 + 1; }
NOINLINE long f102(long x, long y) { return x + y * 4 + -1; }
NOINLINE long f103(long x, long y) { return x + y * 4 + 0; }
NOINLINE long f104(long x, long y) { return x + y * 4 + 1; }
NOINLINE long f105(long x, long y) { return x + y * 8 + -1; }
NOINLINE long f106(long x, long y) { return x + y * 8 + 0; }
NOINLINE long f107(long x, long y) { return x + y * 8 + 1; }
int main(void) {
  for (int x = -3; x < 60; x += 21) {
    printf("%ld %ld %ld %ld %ld %ld\n", (long)f0(x), (long)f1(x), (long)f2(x), (long)f3(x), (long)f4(x), (long)f5(x));
    printf("%ld %ld %ld %ld %ld %ld\n", (long)f6(x), (long)f7(x), (long)f8(x), (long)f9(x), (long)f10(x), (long)f11(x));
    printf("%ld %ld %ld %ld %ld %ld\n", (long)f12(x), (long)f13(x), (long)f14(x), (long)f15(x), (long)f16(x), (long)f17(x));
    printf("%ld %ld %ld %ld %ld %ld\n", (long)f18(x), (long)f19(x), (long)f20(x), (long)f21(x), (long)f22(x), (long)f23(x));
    printf("%ld %ld %ld %ld %ld %ld\n", (long)f24(x), (long)f25(x), (long)f26(x), (long)f27(x), (long)f28(x), (long)f29(x));
    printf("%ld %ld %ld %ld %ld %ld\n", (long)f30(x), (long)f31(x), (long)f32(x), (long)f33(x), (long)f34(x), (long)f35(x));
    printf("%ld %ld %ld %ld %ld %ld\n", (long)f36(x), (long)f37(x), (long)f38(x), (long)f39(x), (long)f40(x), (long)f41(x));
    printf("%ld %ld %ld %ld %ld %ld\n", (long)f42(x, x + 5), (long)f43(x, x + 5), (long)f44(x, x + 5), (long)f45(x, x + 5), (long)f46(x, x + 5), (long)f47(x, x + 5));
    printf("%ld %ld %ld %ld %ld %ld\n", (long)f48(x, x + 5), (long)f49(x, x + 5), (long)f50(x, x + 5), (long)f51(x, x + 5), (long)f52(x, x + 5), (long)f53(x, x + 5));
    printf("%ld %ld %ld %ld %ld %ld\n", (long)f54(x), (long)f55(x), (long)f56(x), (long)f57(x), (long)f58(x), (long)f59(x));
    printf("%ld %ld %ld %ld %ld %ld\n", (long)f60(x), (long)f61(x), (long)f62(x), (long)f63(x), (long)f64(x), (long)f65(x));
    printf("%ld %ld %ld %ld %ld %ld\n", (long)f66(x), (long)f67(x), (long)f68(x), (long)f69(x), (long)f70(x), (long)f71(x));
    printf("%ld %ld %ld %ld %ld %ld\n", (long)f72(x), (long)f73(x), (long)f74(x), (long)f75(x), (long)f76(x), (long)f77(x));
    printf("%ld %ld %ld %ld %ld %ld\n", (long)f78(x), (long)f79(x), (long)f80(x), (long)f81(x), (long)f82(x), (long)f83(x));
    printf("%ld %ld %ld %ld %ld %ld\n", (long)f84(x), (long)f85(x), (long)f86(x), (long)f87(x), (long)f88(x), (long)f89(x));
    printf("%ld %ld %ld %ld %ld %ld\n", (long)f90(x), (long)f91(x), (long)f92(x), (long)f93(x), (long)f94(x), (long)f95(x));
    printf("%ld %ld %ld %ld %ld %ld\n", (long)f96(x, x + 5), (long)f97(x, x + 5), (long)f98(x, x + 5), (long)f99(x, x + 5), (long)f100(x, x + 5), (long)f101(x, x + 5));
    printf("%ld %ld %ld %ld %ld %ld\n", (long)f102(x, x + 5), (long)f103(x, x + 5), (long)f104(x, x + 5), (long)f105(x, x + 5), (long)f106(x, x + 5), (long)f107(x, x + 5));
  }
  return 0;
}
