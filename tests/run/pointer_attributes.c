/* Attributes after the star of a declarator belong to what is declared; in a type name they make the type. */
#include <stdio.h>

static void leave(char **text) { printf("leave %s\n", *text); }

static char *__attribute__((noinline, used)) name(void) { return "name"; }

static int *__attribute__((aligned(32))) wide;

static int first(int *__attribute__((unused)) p, int n) { return n; }

int _Alignas(int __attribute__((aligned(16)))) sixteen;

int main(void)
{
    char *__attribute__((cleanup(leave))) a = "a";
    {
        char *const __attribute__((cleanup(leave))) b = "b";
        printf("in %s\n", b);
    }
    for (int i = 0; i < 2; i++) {
        char *__attribute__((__cleanup__(leave))) c = i ? "second" : "first";
        if (i)
            continue;
    }
    printf("%d %d %d\n", (int)_Alignof(wide), (int)__alignof__(sixteen), (int)_Alignof(int __attribute__((aligned(8)))));
    printf("%s %d %s\n", name(), first(0, 7), a);
    return 0;
}
