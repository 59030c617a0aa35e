#include <stdio.h>
int main(void) {
    int turn = 0;
    for (int n = 0; n < 5; n++) {
#ifdef GOOD
        turn = (turn + 1) % 3;
#else
        turn = ++turn % 3 + turn++ % 1; // BUG: sequence-point
#endif
    }
    printf("%d\n", turn);
    return 0;
}
