// flags: -P
#define EMPTY()
#define DEFER(id) id EMPTY()
#define OBSTRUCT(...) __VA_ARGS__ DEFER(EMPTY)()
#define EXPAND(...) __VA_ARGS__
#define A() 123
DEFER(A)()
EXPAND(DEFER(A)())
#define REPEAT_INDIRECT() REPEAT
#define REPEAT(n) n OBSTRUCT(REPEAT_INDIRECT)()(n)
EXPAND(REPEAT(x))
EXPAND(EXPAND(REPEAT(x)))
#define CAT(a, ...) a ## __VA_ARGS__
#define IIF(c) CAT(IIF_, c)
#define IIF_0(t, ...) __VA_ARGS__
#define IIF_1(t, ...) t
IIF(0)(a, b) IIF(1)(a, b)
