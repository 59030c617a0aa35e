register long a asm("rdx");
register long b asm("rbx") = 1;
register double c asm("r12");
register int d asm("no");
register int e;
register long f asm("r13");
void g(int x)
{
    &f;
    asm("" : : "b"(x));
    asm("" : : "a"(x), "r"(f));
}
register long h asm("r14");
