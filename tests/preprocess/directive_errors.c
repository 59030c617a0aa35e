// flags: -P
#define
#define 3
#define defined
#define X(
#define X(a
#define X(a,
#define X(a,a)
#define X(a b)
#define X(1)
#define X(...,a)
#define X #y
#define Y(y) #z
#define X ## y
#define X x ##
#undef
#include
#include foo
#include <foo
#line
#line x
#line 5 6
#foo
#defin X
#!
#error some   text 'here
#warning careful
