#include <stdbool.h>
#include <stdio.h>
#include <string.h>
struct record { bool used; char text[7]; };
int main(void) {
    const unsigned char bytes[8] = {3, 'o', 'l', 'd'};
    struct record r;
    memcpy(&r, bytes, sizeof r);
#ifdef GOOD
    r.used = bytes[0] != 0;
#endif
    bool used = r.used; // BUG: invalid-value
    printf("%d %s\n", used, r.text);
    return 0;
}
