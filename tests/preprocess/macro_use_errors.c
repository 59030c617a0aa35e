// flags: -P
#define F(a, b) a
F(1) F(1, 2, 3) F
#define N() n
N(1)
int __VA_ARGS__;
#define G(x) __VA_ARGS__
F(1,
