// flags: -Wall -Wextra -fwrapv
// Where signed arithmetic wraps nothing is lost.
long f(void) { return (-1 << 2) + (2 << 30) + (1 << 31 << 1) + (3L << 63); }
