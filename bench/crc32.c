/* Measures: CRC-32 bit by bit, by one table, and by eight tables ("slicing"), CRC-16, Adler-32 and Fletcher sums over a buffer. */
#include <stdint.h>
#include <stdio.h>

enum { SIZE = 1 << 18 };

static uint32_t table[8][256];

static void make_tables(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
        table[0][i] = c;
    }
    for (int t = 1; t < 8; t++)
        for (int i = 0; i < 256; i++)
            table[t][i] = table[t - 1][i] >> 8 ^ table[0][table[t - 1][i] & 255];
}

static uint32_t by_bits(const uint8_t *p, size_t n) {
    uint32_t c = ~0u;
    while (n--) {
        c ^= *p++;
        for (int k = 0; k < 8; k++)
            c = c >> 1 ^ (0xedb88320u & -(c & 1));
    }
    return ~c;
}

static uint32_t by_bytes(const uint8_t *p, size_t n) {
    uint32_t c = ~0u;
    for (const uint8_t *end = p + n; p < end; p++)
        c = c >> 8 ^ table[0][(c ^ *p) & 255];
    return ~c;
}

static uint32_t load(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t by_eight(const uint8_t *p, size_t n) {
    uint32_t c = ~0u;
    for (; n >= 8; n -= 8, p += 8) {
        uint32_t low = load(p) ^ c, high = load(p + 4);
        c = table[7][low & 255] ^ table[6][low >> 8 & 255] ^ table[5][low >> 16 & 255] ^ table[4][low >> 24] ^
            table[3][high & 255] ^ table[2][high >> 8 & 255] ^ table[1][high >> 16 & 255] ^ table[0][high >> 24];
    }
    for (; n > 0; n--, p++)
        c = c >> 8 ^ table[0][(c ^ *p) & 255];
    return ~c;
}

static uint16_t ccitt(const uint8_t *p, size_t n) {
    uint16_t c = 0xffff;
    while (n--) {
        uint8_t x = (uint8_t)(c >> 8 ^ *p++);
        x ^= x >> 4;
        c = (uint16_t)(c << 8 ^ x << 12 ^ x << 5 ^ x);
    }
    return c;
}

static uint32_t adler(const uint8_t *p, size_t n) {
    uint32_t a = 1, b = 0;
    while (n > 0) {
        size_t part = n < 5552 ? n : 5552;
        n -= part;
        while (part--) {
            a += *p++;
            b += a;
        }
        a %= 65521;
        b %= 65521;
    }
    return b << 16 | a;
}

static uint64_t fletcher(const uint8_t *p, size_t n) {
    uint64_t a = 0, b = 0;
    for (; n >= 4; n -= 4, p += 4) {
        a = (a + load(p)) % 0xffffffffu;
        b = (b + a) % 0xffffffffu;
    }
    return b << 32 | a;
}

int main(void) {
    static uint8_t data[SIZE];
    make_tables();
    int known = by_bytes((const uint8_t *)"123456789", 9) == 0xcbf43926u;
    uint32_t seed = 1;
    for (int i = 0; i < SIZE; i++) {
        seed = seed * 1664525u + 1013904223u;
        data[i] = (uint8_t)(seed >> 24);
    }
    uint64_t sum = 0;
    for (size_t round = 0; round < 150; round++) {
        size_t n = SIZE - round;
        uint32_t c = by_bytes(data, n);
        if (round % 4 == 0)
            known &= c == by_bits(data, n);
        known &= c == by_eight(data, n);
        sum = sum * 31 + c + ccitt(data, n) + adler(data, n) + fletcher(data, n);
        data[round * 1000 % SIZE] ^= (uint8_t)sum;
    }
    printf("crc32 %s %016llx\n", known ? "ok" : "bad", (unsigned long long)sum);
    return !known;
}
