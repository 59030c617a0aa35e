#include <stdio.h>
struct sample { signed char level; };
static struct sample quantise(float x) {
    struct sample s;
#ifdef GOOD
    s.level = (signed char)(x > 1 ? 127 : x < -1 ? -127 : x * 127);
#else
    s.level = (signed char)(x * 127); // BUG: conversion
#endif
    return s;
}
int main(void) {
    printf("%d\n", quantise(0.5f).level);
    printf("%d\n", quantise(1.5f).level);
    return 0;
}
