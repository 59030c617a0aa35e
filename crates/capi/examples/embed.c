/* A program with a compiler inside: messages, symbols of its own, code to call, a program to run. */
#include <libtcc.h>
#include <stdio.h>
#include <string.h>

static void message(void *opaque, const char *text)
{
    printf("%s%s\n", (const char *)opaque, text);
}

static int add(int a, int b)
{
    return a + b;
}

static TCCState *new_state(const char *options)
{
    TCCState *s = tcc_new();
    tcc_set_error_func(s, "said: ", message);
    tcc_set_options(s, options);
    tcc_set_output_type(s, TCC_OUTPUT_MEMORY);
    return s;
}

static void show(void *context, const char *name, const void *address)
{
    (void)address;
    printf("%s%s\n", (const char *)context, name);
}

int main(void)
{
    TCCState *s = new_state("-O2 -Wall");
    tcc_define_symbol(s, "FACTOR", "3");
    tcc_add_symbol(s, "add", add);
    if (tcc_compile_string(s,
            "int add(int, int);\n"
            "int f(int n) { int unused; return add(n * FACTOR, 1); }\n"))
        return 1;
    if (tcc_relocate(s))
        return 1;
    int (*f)(int) = (int (*)(int))tcc_get_symbol(s, "f");
    printf("f(4) = %d\n", f(4));
    printf("nothing: %d\n", tcc_get_symbol(s, "nothing") == NULL);
    tcc_list_symbols(s, "symbol ", show);
    tcc_delete(s);

    s = new_state("");
    printf("wrong: %d\n", tcc_compile_string(s, "#line 7 \"wrong.c\"\nint f(void) { return x; }\n"));
    printf("missing: %d\n", tcc_compile_string(s, "int g(void); int f(void) { return g(); }"));
    printf("missing: %d\n", tcc_relocate(s));
    tcc_delete(s);

    s = new_state("-w");
    tcc_compile_string(s,
        "#include <tcclib.h>\n"
        "int atexit(void (*)(void));\n"
        "static void last(void) { puts(\"at the end\"); }\n"
        "int main(int argc, char **argv) { atexit(last); printf(\"%s of %d\\n\", argv[1], argc); exit(5); }\n");
    char *arguments[] = { "program", "one", NULL };
    printf("status %d\n", tcc_run(s, 2, arguments));
    tcc_delete(s);
    return 0;
}
