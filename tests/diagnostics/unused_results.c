// flags: -std=c2x -Wno-unused-value
int f(void) __attribute__((warn_unused_result));
[[nodiscard]] int g(void);
[[nodiscard("it costs")]] int k(void);
void nothing(void) __attribute__((warn_unused_result));

int h(int a)
{
    f();
    (void)f();
    (void)(long)f();
    g();
    k();
    (void)g();
    (void)(a++, f());
    a = (f(), 1);
    ({ f(); });
    for ((void)f(); a < 3; (void)f()) a++;
    while (f(), a > 7) a--;
    // The value is used, or the call is not made.
    a = ({ f(); });
    (void)!f();
    f() + 1;
    (void)(a ? f() : 0);
    a += sizeof(f(), 1);
    nothing();
    return f();
}
