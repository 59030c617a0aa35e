// flags: -std=c17 -pedantic
_Decimal64 a = 1.5DD;
_Complex _Decimal64 b;
long _Decimal32 c;
_Decimal32 out_of_range = 1e97DF;
double hexadecimal = 0x1p3DD;
_Decimal32 mixed_case = 1.0Df;

#pragma STDC FLOAT_CONST_DECIMAL64 ON
#pragma STDC FLOAT_CONST_DECIMAL64 sometimes

__extension__ _Decimal128 fine;
int operators(double d, _Decimal64 x, _Complex double z, void *p, int i)
{
    x + d;
    d *= x;
    x < d;
    z - x;
    i ? x : d;
    x % 2;
    ~x;
    x & 1;
    x << 1;
    p + x;
    i[&i + x];
    switch (x) {
    default:;
    }
    p = (void *)x;
    x = p;
    __builtin_complex(x, x);
    (d = x), (x = d), (i = x), (x = i);
    return __builtin_isless(x, d);
}

int array[(int)1.9DD];
_Static_assert(1.10DD == 1.1DF, "decimal constants are folded");
void parameter(_Decimal32 x);
void caller(void)
{
    parameter("text");
    _Decimal64 *q = &fine;
}
typedef _Decimal32 vector __attribute__((vector_size(16)));
