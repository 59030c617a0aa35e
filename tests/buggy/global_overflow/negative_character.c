#include <stdio.h>
static int counts[256];
static void count(const char *text) {
    for (; *text; text++) {
#ifdef GOOD
        counts[(unsigned char)*text]++;
#else
        counts[*text]++; // BUG: underflow
#endif
    }
}
int main(void) {
    count("caf\xc3\xa9");
    printf("%d\n", counts['c']);
    return 0;
}
