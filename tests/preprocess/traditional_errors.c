// flags: -traditional-cpp -undef
#define f(x) x
#define none() 0
#define g(x, ...) x
#define self a self b
self
f() f(1, 2) none(1)
#define obj 1
#define obj	1
#define obj 2
#if f(1
#endif
#error what/**/ever
#wrong
#if 1
f(
/* never closed
