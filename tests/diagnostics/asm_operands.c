void f(int x)
{
    asm("" : "r"(x));
    asm("" : "=r"(5));
    asm("" : : "=r"(x));
    asm("" : : : "nothing");
    asm("" : [a] "=r"(x) : [a] "r"(x));
    asm("" : "=m"(x + 1));
}
