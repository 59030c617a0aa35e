// flags: -P
#define f(a) [a]
#define g(a, b) {a; b}
f(1) f (2) f
(3) f f(4)
g((1, 2), [3) g(,) g( , x)
f() f( ) f(f(f(5)))
#define h() call
h() h( ) h (
) h x
