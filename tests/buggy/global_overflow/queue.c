#include <stdio.h>
enum { ROOM = 8 };
static int queue[ROOM];
static unsigned tail;
static void push(int value) {
#ifdef GOOD
    queue[tail % ROOM] = value;
#else
    queue[tail] = value; // BUG: global-overflow
#endif
    tail++;
}
int main(void) {
    for (int i = 0; i < 10; i++) push(i);
    printf("%d\n", queue[0]);
    return 0;
}
