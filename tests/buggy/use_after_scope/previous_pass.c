#include <stdio.h>
int main(void) {
    int *before = 0, rises = 0;
    const int values[] = {1, 3, 2, 5};
#ifdef GOOD
    int kept[4];
#endif
    for (int i = 0; i < 4; i++) {
        if (before && values[i] > *before) rises++; // BUG: use-after-scope
#ifdef GOOD
        kept[i] = values[i];
        before = &kept[i];
#else
        int now = values[i];
        before = &now;
#endif
    }
    printf("%d\n", rises);
    return 0;
}
