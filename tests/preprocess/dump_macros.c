// flags: -dM -undef -nostdinc
#define A
#define B 1 + 2
#define C(x,y...) #x  x##y y
#define D( a , b )   a   b
#define E(...) __VA_ARGS__
#undef A
