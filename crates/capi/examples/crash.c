/* Faults of compiled code come back to the program, with a backtrace. */
#include <libtcc.h>
#include <setjmp.h>
#include <stdio.h>

static int level(void *data, void *pc, const char *file, int line, const char *function, const char *text)
{
    (void)data;
    (void)pc;
    printf("%s:%d: %s%s%s\n", file, line, function, text ? ": " : "", text ? text : "");
    return 1;
}

static const char source[] =
    "static int divide(int a, int b)\n"
    "{\n"
    "    return a / b;\n"
    "}\n"
    "\n"
    "int f(int *p, int n)\n"
    "{\n"
    "    return divide(*p,\n"
    "                  n);\n"
    "}\n";

int main(void)
{
    TCCState *s = tcc_new();
    jmp_buf there;
    int ten = 10;
    tcc_set_options(s, "-bt");
    tcc_set_backtrace_func(s, NULL, level);
    if (tcc_compile_string(s, source) || tcc_relocate(s))
        return 1;
    int (*f)(int *, int) = (int (*)(int *, int))tcc_get_symbol(s, "f");
    for (volatile int turn = 0; turn < 3; turn++) {
        if (tcc_setjmp(s, there, f))
            printf("caught\n");
        else
            printf("%d\n", f(turn == 1 ? NULL : &ten, turn == 0 ? 5 : 0));
    }
    tcc_delete(s);
    return 0;
}
