#include <stdio.h>
static int width(unsigned long value) {
#ifdef GOOD
    char text[24];
#else
    char text[8];
#endif
    return sprintf(text, "%lu", value); // BUG: stack-overflow
}
int main(void) {
    unsigned long values[] = {7, 4096, 1234567890};
    for (int i = 0; i < 3; i++) printf("%d\n", width(values[i]));
    return 0;
}
