#include <stdio.h>
static unsigned buckets;
static unsigned bucket(unsigned key) {
#ifdef GOOD
    if (!buckets) buckets = 7;
#endif
    return key % buckets; // BUG: division
}
int main(void) {
    printf("%u\n", bucket(100));
    return 0;
}
