// flags: -P
#define f(x) x
#define a(x) f(f(f(f(f(f(f(f(x))))))))
#define b(x) a(a(a(a(a(a(a(a(x))))))))
#define c(x) b(b(b(b(x))))
c(1)
