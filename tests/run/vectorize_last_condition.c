// The condition of a loop's last iteration is used after it.
#include <stdio.h>

static unsigned short number = 3;
static unsigned char bytes[16] = {1, 0, 1};

__attribute__((noipa)) static long last(unsigned short answer)
{
    for (unsigned long i = 0; i < 16; i++)
        answer = !(bytes[i] ? 0u : number);
    return !((answer - 2) - (1UL & number)) + 2 * answer;
}

int main(void)
{
    printf("%ld", last(7));
    bytes[15] = 1;
    printf(" %ld", last(7));
    number = 0;
    bytes[15] = 0;
    printf(" %ld\n", last(7));
}
