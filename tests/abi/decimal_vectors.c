/* Vectors of decimal floating types: always in memory, as gcc has it. */
#include <stdarg.h>
#include <stdio.h>

typedef _Decimal32 D32x1 __attribute__((vector_size(4)));
typedef _Decimal32 D32x2 __attribute__((vector_size(8)));
typedef _Decimal32 D32x4 __attribute__((vector_size(16)));
typedef _Decimal64 D64x1 __attribute__((vector_size(8)));
typedef _Decimal64 D64x2 __attribute__((vector_size(16)));
typedef _Decimal64 D64x4 __attribute__((vector_size(32)));
typedef _Decimal128 D128x1 __attribute__((vector_size(16)));
struct holder { D64x1 d; };
struct beside { D32x2 d; double x; };

D32x1 id_32_1(int before, D32x1 v, int after);
D32x4 id_32_4(int before, D32x4 v, int after);
D64x2 id_64_2(double before, D64x2 v, double after);
D128x1 id_128_1(int before, D128x1 v, int after);
D64x2 many(int a, D64x2 v, int b, D64x1 u, double c, D64x4 w, D32x2 n, D64x1 last);
struct holder id_holder(struct holder h);
struct beside id_beside(struct beside b);
_Decimal64 variadic(int n, ...);

#ifdef CALLEE
D32x1 id_32_1(int before, D32x1 v, int after) { v[0] += before * 10 + after; return v; }
D32x4 id_32_4(int before, D32x4 v, int after) { v[0] += before * 10 + after; return v; }
D64x2 id_64_2(double before, D64x2 v, double after) { v[1] += (int)before * 10 + (int)after; return v; }
D128x1 id_128_1(int before, D128x1 v, int after) { v[0] += before * 10 + after; return v; }
D64x2 many(int a, D64x2 v, int b, D64x1 u, double c, D64x4 w, D32x2 n, D64x1 last)
{
    D64x2 r = {a + v[0] + b + u[0] + (int)c, v[1] + w[3] + n[1] + last[0]};
    return r;
}
struct holder id_holder(struct holder h) { return h; }
struct beside id_beside(struct beside b) { b.x += (double)b.d[1]; return b; }
_Decimal64 variadic(int n, ...)
{
    va_list list;
    va_start(list, n);
    _Decimal64 sum = 0;
    for (int i = 0; i < n; i++) {
        sum += va_arg(list, D64x2)[1];
        sum += va_arg(list, D64x1)[0];
        sum += va_arg(list, int);
    }
    va_end(list);
    return sum;
}
#endif

#ifdef CALLER
int main(void)
{
    printf("%g\n", (double)id_32_1(1, (D32x1){100}, 2)[0]);
    printf("%g\n", (double)id_32_4(1, (D32x4){100}, 2)[0]);
    printf("%g\n", (double)id_64_2(1, (D64x2){100, 200}, 2)[1]);
    printf("%g\n", (double)id_128_1(1, (D128x1){100}, 2)[0]);
    D64x2 r = many(1, (D64x2){10, 20}, 2, (D64x1){30}, 3, (D64x4){4, 5, 6, 7}, (D32x2){8, 9}, (D64x1){1000});
    printf("%g %g\n", (double)r[0], (double)r[1]);
    struct beside b = id_beside((struct beside){{1, 2}, 3});
    printf("%g %g %g\n", (double)id_holder((struct holder){{5}}).d[0], (double)b.d[0], b.x);
    printf("%g\n", (double)variadic(2, (D64x2){1, 2}, (D64x1){4}, 8, (D64x2){16, 32}, (D64x1){64}, 128));
}
#endif
