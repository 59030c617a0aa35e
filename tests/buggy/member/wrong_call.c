#include <stdio.h>
static double half(double x) { return x / 2; }
#ifdef GOOD
typedef double operation(double);
#else
typedef int operation(int);
#endif
static struct { const char *name; operation *apply; } table[] = {{"half", (operation *)half}};
int main(void) {
    printf("%s %g\n", table[0].name, (double)table[0].apply(8)); // BUG: function-type
    return 0;
}
