// White space that `#` makes of what stands between tokens of nested expansions: before macros,
// before and after their arguments, around those that are empty.
#include <stdio.h>

#define STRING(...) #__VA_ARGS__
#define EXPANDED(...) STRING(__VA_ARGS__)
#define TWICE(...) EXPANDED(__VA_ARGS__)

#define NOTHING
#define ID(x) x
#define SPACED(x)  x
#define ALL(...) __VA_ARGS__
#define BEFORE(x) NOTHING x
#define AFTER(x) x NOTHING
#define TIGHT(a, b) a b|a|b
#define LOOSE(a, b) [ a| b ]
#define NESTED(a, b) TIGHT(ID(a), SPACED( b ))ID(a)SPACED(b) ID( a )
#define DEEP(a, b) NESTED(AFTER(a),BEFORE(b))NESTED( BEFORE(ID(a)), AFTER( SPACED(b) ) )
#define MANY(first, ...) ID(first)-ALL(__VA_ARGS__) -ALL( __VA_ARGS__ )
#define LIKE_A_FUNCTION() ()

int main(void)
{
    puts(TWICE(ID(a)ID(b) ID(c)SPACED(d)NOTHING e));
    puts(TWICE(BEFORE(a)BEFORE( b )AFTER(c) AFTER(d)+));
    puts(TWICE(TIGHT(ID(a),SPACED(b)) TIGHT( AFTER(a) ,NOTHING)TIGHT(,)));
    puts(TWICE(LOOSE(a,b)LOOSE(ID(NOTHING), ID( NOTHING ))-LOOSE(-,- -)));
    puts(TWICE(NESTED(x,y)NESTED( , NOTHING z)));
    puts(TWICE(DEEP(1,2) DEEP(ID(ID(ID( 3 ))), -)DEEP(NOTHING,NOTHING NOTHING)));
    puts(TWICE(MANY(a) MANY(a,b) MANY( ID(a) , ID(b) ,NOTHING, c )));
    puts(TWICE(ID (ID)(x) ID NOTHING (y)LIKE_A_FUNCTION ()ID));
    puts(EXPANDED(SPACED(SPACED(SPACED(a)))SPACED(SPACED(b)))STRING(ID(a) b ,c));
    return 0;
}
