#include <stdio.h>
static void encode(char *to, const char *from, char key) {
    while (*from) {
#ifdef GOOD
        *to = (char)(*from++ ^ key);
        to++;
#else
        *to++ = (char)(*from ^ key ^ (from++ - from)); // BUG: sequence-point
#endif
    }
    *to = 0;
}
int main(void) {
    char secret[8];
    encode(secret, "hello", 1);
    puts(secret);
    return 0;
}
