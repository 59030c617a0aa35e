#include <stdio.h>
#define SIZE 4
static struct { int samples[SIZE]; int next; } ring;
static int sums[2];
static void record(int sample) {
    ring.samples[ring.next] = sample;
    ring.next = (ring.next + 1) % SIZE;
#ifdef GOOD
    sums[sample & 1] += sample;
#else
    sums[sample % 3] += sample; // BUG: global-overflow
#endif
}
int main(void) {
    for (int i = 0; i < 6; i++) record(i);
    printf("%d %d\n", sums[0], sums[1]);
    return 0;
}
