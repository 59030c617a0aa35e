#include <stdio.h>
static int stack[4], top;
static void push(int v) { stack[top++] = v; }
static int pop(void) {
#ifdef GOOD
    if (top == 0) return -1;
#endif
    return stack[--top]; // BUG: underflow
}
int main(void) {
    push(1);
    pop();
    int last = pop();
    printf("%d\n", last);
    return 0;
}
