// flags: -std=c99 -pedantic-errors
/* In C99 a constant expression may have commas where it is not evaluated: these are null pointer constants. */
int *a, b;
void f(void)
{
    b = *(1 ? a : ((void *)(1 ? 0 : (0, 0))));
    b = *(0 ? a : ((void *)(0 ? (1, 2, 3) : 0)));
    b = *(1 ? a : ((void *)(1 ? 0 : (0, b))));
}
enum { A = 1 ? 3 : (0, 0), B = 0 ? (1, 2) : 4 };
