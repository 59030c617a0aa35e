// flags: -std=c11
// What computes float and double, for one function and for a part of the unit.
#include <stdio.h>

volatile double d1 = 1 - 0x1p-30, d2 = 1 + 0x1p-30;

__attribute__((target("fpmath=387"))) static int precise(void) { return d1 * d2 == 1; }
__attribute__((target("fpmath=387"))) static int constant(void) { return 0.1 == 0.1L; }
static int plain(void) { return d1 * d2 == 1; }

#pragma GCC push_options
#pragma GCC target("fpmath=387")
static const long double tenth = 0.1;
static int in_region(void) { return d1 * d2 == 1; }
__attribute__((target("fpmath=sse"))) static int back(void) { return d1 * d2 == 1; }
#pragma GCC pop_options
static const long double plain_tenth = 0.1;

int main(void) {
  printf("%d %d %d %d %d\n", precise(), constant(), plain(), in_region(), back());
  printf("%d %d %d\n", tenth == 0.1L, plain_tenth == 0.1L, (0.1 == 0.1L));
}
