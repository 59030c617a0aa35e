/* From tcc_new to a function that was called: microseconds, the best of many times. */
#include <libtcc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char source[] =
    "int fib(int n)\n"
    "{\n"
    "    int a = 0, b = 1;\n"
    "    while (n-- > 0) {\n"
    "        int c = a + b;\n"
    "        a = b;\n"
    "        b = c;\n"
    "    }\n"
    "    return a;\n"
    "}\n";

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

int main(int argc, char **argv)
{
    double best = 1e9;
    for (int i = atoi(argv[1]); i > 0; i--) {
        double start = now();
        TCCState *s = tcc_new();
        tcc_set_lib_path(s, argv[2]);
        tcc_set_options(s, argv[3]);
        tcc_set_output_type(s, TCC_OUTPUT_MEMORY);
        if (tcc_compile_string(s, source) != 0 || tcc_relocate(s, TCC_RELOCATE_AUTO) != 0)
            return 1;
        int (*fib)(int) = tcc_get_symbol(s, "fib");
        if (fib(10) != 55)
            return 1;
        double took = now() - start;
        best = took < best ? took : best;
        tcc_delete(s);
    }
    printf("%.1f\n", best);
    return 0;
}
