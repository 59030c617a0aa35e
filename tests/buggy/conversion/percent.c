#include <stdio.h>
static int percent(double part, double whole) {
#ifdef GOOD
    if (whole == 0) return 0;
#endif
    return (int)(100 * part / whole); // BUG: conversion
}
int main(void) {
    printf("%d\n", percent(1, 4));
    printf("%d\n", percent(1, 0));
    return 0;
}
