void f(int x)
{
    asm("" : [out] "=r"(x) : "[in]"(x));
    asm("" : [out] "=r"(x) : "[out"(x));
    asm("" : [out] "=r"(x) : "[out]"(x));
}
void g(void) __attribute__((error(0)));
void h(void) __attribute__((section((".text.h"))));
#if 1 ? 2
#endif
#if 1 ? 2, 3 : 4 : 5
#endif
