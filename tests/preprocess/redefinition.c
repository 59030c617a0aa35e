// flags: -P
#define A 1
#define A 1
#define A  1 
#define A 2
#define F(x) x
#define F(x) x
#define F(y) y
#define F x
#define __LINE__ 3
#undef __FILE__
#define S a b
#define S a  b
#define S ab
