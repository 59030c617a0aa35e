// flags: -P
#define A B
#define B A
A B
#define EMPTY
[EMPTY] EMPTY x EMPTY EMPTY y
#define ONE 1
#define TWO ONE + ONE
TWO*TWO
