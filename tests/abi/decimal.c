/* Decimal floating types in registers, on the stack, in structures and as variable arguments. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct two { _Decimal32 a, b; };
struct beside { _Decimal32 a; int b; };
struct three { _Decimal32 a[3]; };
struct doubles { _Decimal64 a; double b; };
struct integer { _Decimal64 a; long b; };
struct wide { _Decimal128 a; };
struct large { _Decimal128 a; _Decimal32 b; };
union both { _Decimal64 a; float b[2]; };

_Decimal32 id_single(_Decimal32 a);
_Decimal64 id_double(_Decimal64 a);
_Decimal128 id_quad(_Decimal128 a);
struct two id_two(struct two a);
struct beside id_beside(struct beside a);
struct three id_three(struct three a);
struct doubles id_doubles(struct doubles a);
struct integer id_integer(struct integer a);
struct wide id_wide(struct wide a);
struct large id_large(struct large a);
union both id_both(union both a);
_Decimal128 many(_Decimal32 a, _Decimal64 b, _Decimal128 c, float d, double e, _Decimal32 f, _Decimal64 g, _Decimal128 h,
                 _Decimal32 i, _Decimal64 j, int k, _Decimal128 l, _Decimal32 m);
_Decimal128 variadic(int n, ...);

#ifdef CALLEE
_Decimal32 id_single(_Decimal32 a) { return a; }
_Decimal64 id_double(_Decimal64 a) { return a; }
_Decimal128 id_quad(_Decimal128 a) { return a; }
struct two id_two(struct two a) { return a; }
struct beside id_beside(struct beside a) { return a; }
struct three id_three(struct three a) { return a; }
struct doubles id_doubles(struct doubles a) { return a; }
struct integer id_integer(struct integer a) { return a; }
struct wide id_wide(struct wide a) { return a; }
struct large id_large(struct large a) { return a; }
union both id_both(union both a) { return a; }
_Decimal128 many(_Decimal32 a, _Decimal64 b, _Decimal128 c, float d, double e, _Decimal32 f, _Decimal64 g, _Decimal128 h,
                 _Decimal32 i, _Decimal64 j, int k, _Decimal128 l, _Decimal32 m)
{
    return a + 2 * b + 3 * c + 4 * (int)d + 5 * (int)e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m;
}
_Decimal128 variadic(int n, ...)
{
    va_list list;
    va_start(list, n);
    _Decimal128 sum = 0;
    for (int i = 0; i < n; i++) {
        sum += va_arg(list, _Decimal32);
        sum += 2 * va_arg(list, _Decimal64);
        sum += 3 * va_arg(list, _Decimal128);
        sum += 4 * va_arg(list, struct two).b;
        sum += 5 * va_arg(list, struct wide).a;
        sum += va_arg(list, int);
    }
    va_end(list);
    return sum;
}
#endif

#ifdef CALLER
static void show(const char *what, const void *object, int size)
{
    const unsigned char *bytes = object;
    printf("%s ", what);
    while (size--)
        printf("%02x", bytes[size]);
    putchar('\n');
}
#define SHOW(x, member) do { __typeof__(x) value = x; show(#x, &value member, sizeof(value member)); } while (0)

int main(void)
{
    struct two two = {1.5DF, -2.5DF};
    struct wide wide = {1e-6000DL};
    SHOW(id_single(1.50DF), );
    SHOW(id_double(-2.500DD), );
    SHOW(id_quad(3.5000DL), );
    SHOW(id_two(two), .b);
    SHOW(id_beside((struct beside){7.DF, 8}), .b);
    SHOW(id_three((struct three){{1.DF, 2.DF, 3.DF}}), );
    SHOW(id_doubles((struct doubles){1.25DD, 2.5}), );
    SHOW(id_integer((struct integer){1.25DD, 25}), );
    SHOW(id_wide(wide), );
    SHOW(id_large((struct large){4.DL, 5.DF}), .b);
    SHOW(id_both((union both){.b = {1, 2}}), );
    SHOW(many(1.DF, 2.DD, 3.DL, 4, 5, 6.DF, 7.DD, 8.DL, 9.DF, 10.DD, 11, 12.DL, 13.DF), );
    SHOW(variadic(2, 1.DF, 2.DD, 3.DL, two, wide, 4, 1.DF, 2.DD, 3.DL, two, wide, 4), );
    return 0;
}
#endif
