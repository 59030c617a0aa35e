// Words of the attribute simd.
__attribute__((simd("branch"))) int word(int a) { return a; }
__attribute__((simd(2))) int number(int a) { return a; }
