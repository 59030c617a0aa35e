// Ranges and sets of characters and numbers, tested by every value.
#include <limits.h>
#include <stdio.h>

static int classify(int c) {
    int r = 0;
    if (c >= '0' && c <= '9') r |= 1;
    if (c < 'a' || c > 'z') r |= 2;
    if (c == ' ' || c == '\t' || c == '\n' || c == '\v') r |= 4;
    if (c != 0 && c != 32) r |= 8;
    if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || (c >= '0' && c <= '9')) r |= 16;
    if (c < 0 || c == 0) r |= 32;
    if (c > 200 || c < -200) r |= 64;
    if (c == 4 || c == 6) r |= 128;
    if (c != 5 && c != 6 && c != 7) r |= 256;
    return r;
}

static char lower(char c) { return (c >= 'A' && c <= 'Z') ? c + 32 : c; }

static unsigned of_bytes(unsigned char c) {
    unsigned r = 0;
    if (c >= 0x80 && c < 0xc0) r |= 1;
    if (c < 0x20 || c == 0x7f) r |= 2;
    if (c == 0 || c == 255) r |= 4;
    if (c == 0x7f || c == 0xff) r |= 8;
    return r;
}

static int of_edges(int x) {
    int r = 0;
    if (x == INT_MIN || x == INT_MAX) r |= 1;
    if (x < -5 || x >= INT_MAX) r |= 2;
    if (x >= INT_MIN + 1 && x <= INT_MAX - 1) r |= 4;
    return r;
}

static int of_longs(unsigned long x) {
    int r = 0;
    if (x >= 0xfffffffffffffff0 || x < 3) r |= 1;
    if (x > 7 && x < 0x100000000) r |= 2;
    return r;
}

static int skip_digits(const char *s) {
    const char *p = s;
    while (*p >= '0' && *p <= '9') p++;
    return (int)(p - s);
}

int main(void) {
    unsigned hash = 0;
    for (int c = -300; c <= 300; c++) hash = hash * 31 + (unsigned)classify(c);
    printf("%u\n", hash);
    for (int c = -128; c < 128; c++) hash = hash * 31 + (unsigned char)lower((char)c);
    printf("%u\n", hash);
    for (int c = 0; c < 256; c++) hash = hash * 31 + of_bytes((unsigned char)c);
    printf("%u\n", hash);
    static const int edges[] = {INT_MIN, INT_MIN + 1, -6, -5, 0, INT_MAX - 1, INT_MAX};
    for (int i = 0; i < 7; i++) printf("%d", of_edges(edges[i]));
    static const unsigned long longs[] = {0, 2, 3, 7, 8, 0xffffffff, 0x100000000, ~0ul - 16, ~0ul - 15, ~0ul};
    for (int i = 0; i < 10; i++) printf(" %d", of_longs(longs[i]));
    printf(" %d %d\n", skip_digits("0123456789:"), skip_digits("/1"));
    return 0;
}
