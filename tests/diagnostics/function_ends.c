// flags: -Wreturn-type
void die(void) __attribute__((noreturn));
int use(int);
int quiet1(int n) { int x = ({ __builtin_unreachable(); 1; }); }
int quiet2(int n) { n = (__builtin_unreachable(), 1); }
int quiet3(int n) { for (;;) { if (n) return 1; if (0) break; } }
int quiet4(unsigned char b) { switch (b) { case 0 ... 100: return 1; case 101 ... 255: return 2; } }
int quiet5(_Bool b) { switch (b) { case 0: return 1; case 1: return 2; } }
int quiet6(int n) { if (n && 0) ; else return 1; }
int quiet7(int n) { if ("text") return 1; }
int quiet8(int n) { while (&n) use(n); }
int quiet9(int n) { switch (1) { case 1: return 3; } }
int quiet10(int n) { if (!(n || 1)) ; else return 1; }
int quiet11(int n) { switch (n) { if (0) { default: return 2; } } }
int quiet12(int n) { use(({ die(); 1; })); }
int loud1(int n) { for (;;) { if (n) break; } }
int loud2(unsigned char b) { switch (b) { case 0 ... 100: return 1; case 102 ... 255: return 2; } }
int loud3(int n) { if (n && 1) return 1; }
int loud4(int n) { switch (2) { case 1: return 3; } }
int loud5(int n) { switch (n) { if (n) { default: return 2; case 3:; } } }
