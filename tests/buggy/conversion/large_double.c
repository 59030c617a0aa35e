#include <stdio.h>
static unsigned seconds(double years) {
    double s = years * 365.25 * 86400;
#ifdef GOOD
    return s < 4294967295.0 ? (unsigned)s : 4294967295u;
#else
    return (unsigned)s; // BUG: conversion
#endif
}
int main(void) {
    printf("%u\n", seconds(1));
    printf("%u\n", seconds(200));
    return 0;
}
