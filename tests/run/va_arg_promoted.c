/* va_arg with a type that promotion changes stops the program, after the list has been evaluated. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static va_list list;

static va_list *leave(void)
{
    puts("evaluated");
    exit(0);
}

static float take(int n, ...)
{
    va_start(list, n);
    float f = va_arg(*leave(), float);
    va_end(list);
    return f;
}

int main(void)
{
    take(1, 0);
    puts("not here");
    return 1;
}
