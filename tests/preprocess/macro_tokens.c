// flags: -fmax-macro-tokens=1000
#define TEN(x) x x x x x x x x x x
#define HUNDRED(x) TEN(TEN(x))
int few = 0 HUNDRED(+ 1);
#define A a b c d e f g h
#define B A A A A A A A A
#define C B B B B B B B B
C C C C C
int never;
