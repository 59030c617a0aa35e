/* Bytes that are joined to words and words that are stored by bytes, with neighbours that may be the same memory. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

static NOINLINE uint32_t little(const unsigned char *p) { return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24; }
static NOINLINE uint32_t big(const unsigned char *p) { return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3]; }
static NOINLINE uint64_t big8(const unsigned char *p) {
    uint64_t r = 0;
    for (int i = 0; i < 8; i++)
        r = r << 8 | p[i];
    return r;
}
static NOINLINE uint16_t half(const unsigned char *p, int i) { return p[2 * i] << 8 | p[2 * i + 1]; }
static NOINLINE int with_sign(const signed char *p) { return (p[0] & 255) | p[1] * 256; }
static NOINLINE int all_sign(const signed char *p) { return (p[0] & 255) | (p[1] & 255) << 8 | (p[2] & 255) << 16 | p[3] * (1 << 24); }

static NOINLINE uint32_t between(const unsigned char *p, unsigned char *q) {
    uint32_t low = p[0];
    *q = 0xEE;
    return low | p[1] << 8;
}

static NOINLINE void put_little(unsigned char *p, uint32_t x) {
    p[0] = x;
    p[1] = x >> 8;
    p[2] = x >> 16;
    p[3] = x >> 24;
}
static NOINLINE void put_big(unsigned char *p, uint64_t x) {
    p[0] = x >> 56, p[1] = x >> 48, p[2] = x >> 40, p[3] = x >> 32;
    p[4] = x >> 24, p[5] = x >> 16, p[6] = x >> 8, p[7] = x;
}
static NOINLINE void put_mixed(unsigned char *p, uint64_t x) {
    p[0] = x, p[1] = x >> 8, p[2] = x >> 24, p[3] = x >> 16, p[4] = x >> 8, p[5] = x >> 16;
}
static NOINLINE void put_sign(unsigned char *p, short x) {
    p[0] = x, p[1] = x >> 8, p[2] = x >> 15, p[3] = (unsigned)(int)x >> 24;
}

/* q may point into p. */
static NOINLINE int store_load(unsigned char *p, unsigned char *q) {
    p[0] = 1;
    int seen = q[0];
    p[1] = 2;
    q[1] = 7;
    p[2] = 3;
    seen = seen * 256 + q[2];
    p[3] = 4;
    return seen;
}

struct fields {
    int a;
    float b;
    char c, d;
    short e;
    struct fields *next;
    long f;
};

static NOINLINE void fill(struct fields *s, int *other) {
    s->a = 17;
    s->b = 1.5f;
    *other += 3;
    s->c = 'x';
    s->d = -1;
    s->e = -2;
    s->next = 0;
    s->f = -3;
}

static NOINLINE void twice(unsigned char *p) {
    p[0] = 1;
    p[1] = 2;
    p[0] = 3;
    p[2] = 4;
    p[3] = 5;
    p[1] = 6;
}

static void show(const unsigned char *p, int n) {
    for (int i = 0; i < n; i++)
        printf("%02x%c", p[i], i + 1 < n ? ' ' : '\n');
}

int main(void) {
    unsigned char bytes[16];
    for (int i = 0; i < 16; i++)
        bytes[i] = 0x71 + 29 * i;
    for (int i = 0; i < 4; i++)
        printf("%08x %08x %016llx %04x %d %d\n", little(bytes + i), big(bytes + i), (unsigned long long)big8(bytes + i),
               half(bytes, i), with_sign((signed char *)bytes + i), all_sign((signed char *)bytes + i));
    printf("%x ", between(bytes, bytes + 4));
    printf("%x\n", between(bytes, bytes + 1));
    memset(bytes, 0xAA, sizeof bytes);
    put_little(bytes + 1, 0x12345678);
    put_big(bytes + 6, 0x123456789ABCDEF0);
    show(bytes, 16);
    put_mixed(bytes, 0x123456789ABCDEF0);
    put_sign(bytes + 8, -300);
    put_sign(bytes + 12, 300);
    show(bytes, 16);
    for (int i = 0; i < 4; i++) {
        memset(bytes, 9, sizeof bytes);
        printf("%d: ", store_load(bytes, bytes + i));
        show(bytes, 8);
    }
    struct fields s;
    fill(&s, &s.a);
    printf("%d %g %c %d %d %d %ld\n", s.a, s.b, s.c, s.d, s.e, s.next == 0, s.f);
    twice(bytes);
    show(bytes, 4);
    return 0;
}
