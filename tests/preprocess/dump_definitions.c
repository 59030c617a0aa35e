// flags: -P -dD -undef -nostdinc
#define A 1
A
#undef A
#define F(x) x+A
F(2)
