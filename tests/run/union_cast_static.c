// Casts to a union in the initializers of static objects (systemd's table of tests).
#include <stdio.h>

union function {
    int (*plain)(void);
    double (*real)(double);
    long number;
    char c;
};

struct test {
    union function f;
    const char *name;
};

static int seven(void)
{
    return 7;
}

static double half(double x)
{
    return x / 2;
}

static const struct test tests[] = {
    { .f = (union function) & (seven), .name = "seven" },
    { (union function)half, "half" },
    { .f = (union function)0x0102030405060708L, .f = (union function)(char)5, .name = "cleared" },
};
union function alone = (union function)(char)'x', many[] = { [0 ... 2] = (union function)9L };

int main(void)
{
    static union function here = (union function)seven;
    printf("%d %g %ld\n", tests[0].f.plain(), tests[1].f.real(5), tests[2].f.number);
    printf("%d %s\n", here.plain(), tests[2].name);
    printf("%ld %ld %ld\n", alone.number, many[0].number, many[2].number);
}
