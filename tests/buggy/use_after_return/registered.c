#include <stdio.h>
static int *current;
static void begin(int *slot) { current = slot; }
static void session(void) {
    int number = 5;
    begin(&number);
    *current += 1;
#ifdef GOOD
    begin(0);
#endif
}
int main(void) {
    session();
    if (current)
        *current = 7; // BUG: use-after-return
    return 0;
}
