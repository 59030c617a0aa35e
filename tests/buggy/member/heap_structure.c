#include <stdio.h>
#include <stdlib.h>
struct reading { int channels[4]; int status; };
int main(void) {
    struct reading *r = calloc(1, sizeof *r);
    r->status = 7;
    int highest = 0;
#ifdef GOOD
    for (unsigned i = 0; i < sizeof r->channels / sizeof *r->channels; i++)
#else
    for (unsigned i = 0; i < sizeof *r / sizeof *r->channels; i++)
#endif
        if (r->channels[i] > highest) // BUG: member
            highest = r->channels[i];
    printf("%d\n", highest);
    free(r);
    return 0;
}
