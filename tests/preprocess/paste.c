// flags: -P
#define p(a, b) a ## b
#define q(a, b) <a ## b>
p(x, 1) p(1, x) p(1, .5) p(., 5) p(<, <=) p(-, >) p(L, "s") p(u8, 'c') p(+, +) q(, y) q(x, ) q(,)
p(p(a, b), c) p(a, p(b, c))
#define OBJ a ## b ## c
OBJ
#define M(x) x ## x x
#define Z z
M(Z)
p(/, =) p(%:, %:) p(%, :)
