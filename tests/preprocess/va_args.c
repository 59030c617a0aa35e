// flags: -P
#define a(...) <__VA_ARGS__>
#define b(x, ...) <x|__VA_ARGS__>
a() a(1) a(1, 2) a(1,2,) b(1) b(1,) b(1,2,3) b()
#define c(x, rest...) <x|rest>
c(1) c(1, 2, 3)
#define eprintf(fmt, ...) fprintf(stderr, fmt, ##__VA_ARGS__)
eprintf("x") eprintf("x",) eprintf("x", 1, 2)
#define only(...) f(0, ##__VA_ARGS__)
only() only(1) only( )
#define named(args...) f(0, ##args)
named() named(1, 2)
