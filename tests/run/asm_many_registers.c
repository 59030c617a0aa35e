// interpreter: inline assembly
// Asm with twelve outputs in general registers.
#include <stdio.h>

static int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11, l = 12;

int main(void)
{
    __asm__ volatile("addl $10, %[a]\n\taddl $20, %[b]\n\taddl $30, %[c]\n\taddl $40, %[d]\n\taddl $50, %[e]\n\taddl $60, %[f]\n\taddl $70, %[g]\n\taddl $80, %[h]\n\taddl $90, %[i]\n\taddl $100, %[j]\n\taddl $110, %[k]\n\taddl $120, %[l]\n\t"
                     : [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [d] "+r"(d), [e] "+r"(e), [f] "+r"(f), [g] "+r"(g), [h] "+r"(h), [i] "+r"(i), [j] "+r"(j), [k] "+r"(k), [l] "+r"(l));
    __asm__ volatile(""
                     : [a] "=r"(a), [b] "=r"(b), [c] "=r"(c), [d] "=r"(d), [e] "=r"(e), [f] "=r"(f), [g] "=r"(g), [h] "=r"(h), [i] "=r"(i), [j] "=r"(j), [k] "=r"(k), [l] "=r"(l)
                     : "[a]"(a), "[b]"(b), "[c]"(c), "[d]"(d), "[e]"(e), "[f]"(f), "[g]"(g), "[h]"(h), "[i]"(i), "[j]"(j), "[k]"(k), "[l]"(l));
    printf("%d %d %d %d %d %d %d %d %d %d %d %d\n", a, b, c, d, e, f, g, h, i, j, k, l);
    return 0;
}
