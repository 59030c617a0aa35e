/* In a type name the attribute `aligned` of the specifiers belongs to the array, whose elements could not be aligned so. */
int f(int n)
{
    _Static_assert(_Alignof(__attribute__((aligned(32))) int[3]) == 32, "");
    _Static_assert(sizeof(__attribute__((aligned(32))) int[3]) == 12, "");
    _Static_assert(__builtin_has_attribute(__attribute__((aligned(32))) int[n++], aligned), "");
    return n + sizeof(int[3]) + undeclared;
}
