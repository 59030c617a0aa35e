#include <stdio.h>
int main(void) {
    int counts[10] = {0};
    int marks[] = {3, 7, 10, 2, 9, 10};
    for (unsigned i = 0; i < sizeof marks / sizeof *marks; i++) {
#ifdef GOOD
        if (marks[i] > 9) continue;
#endif
        counts[marks[i]]++; // BUG: stack-overflow
    }
    printf("%d\n", counts[3]);
    return 0;
}
