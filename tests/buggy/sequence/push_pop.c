#include <stdio.h>
static int stack[8];
int main(void) {
    int top = 0;
    stack[top++] = 6;
    stack[top++] = 7;
#ifdef GOOD
    int right = stack[--top], left = stack[--top];
    stack[top++] = left - right;
#else
    stack[top++] = stack[--top] - stack[--top]; // BUG: sequence-point
#endif
    printf("%d\n", stack[0]);
    return 0;
}
