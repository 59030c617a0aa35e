#include <math.h>
#include <stdio.h>
static long rounded(double x) {
#ifdef GOOD
    if (isnan(x)) return 0;
#endif
    return (long)(x + 0.5); // BUG: conversion
}
int main(void) {
    volatile double zero = 0;
    printf("%ld\n", rounded(2.7));
    printf("%ld\n", rounded(zero / zero));
    return 0;
}
