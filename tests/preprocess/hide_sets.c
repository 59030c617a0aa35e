// flags: -P
#define f(x) x f
f(1)(2)(3)
#define g(x) h(x
#define h(x) x g
g(1))(2))(3)
#define NIL(xxx) xxx
#define G_0(arg) NIL(G_1)(arg)
#define G_1(arg) NIL(arg)
G_0(42)
#define AA BB
#define BB AA + CC
#define CC BB
AA CC
#define foo() bar
foo()() foo
()
#define self(x) self(x) + x
self(self(1))
