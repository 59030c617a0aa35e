/* Measures: MD5 (RFC 1321), rounds driven by tables of shifts and constants, over many short messages and one long one. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    uint32_t a, b, c, d;
} Digest;

static uint32_t constants[64];
static const uint8_t shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static uint32_t load(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static Digest compress(Digest in, const uint8_t *block) {
    uint32_t words[16];
    for (int i = 0; i < 16; i++)
        words[i] = load(block + 4 * i);
    uint32_t a = in.a, b = in.b, c = in.c, d = in.d;
    for (int i = 0; i < 64; i++) {
        uint32_t f;
        int g;
        switch (i / 16) {
        case 0: f = (b & c) | (~b & d), g = i; break;
        case 1: f = (d & b) | (~d & c), g = (5 * i + 1) % 16; break;
        case 2: f = b ^ c ^ d, g = (3 * i + 5) % 16; break;
        default: f = c ^ (b | ~d), g = 7 * i % 16; break;
        }
        uint32_t sum = a + f + constants[i] + words[g];
        int n = shifts[i / 16][i % 4];
        a = d, d = c, c = b;
        b += sum << n | sum >> (32 - n);
    }
    return (Digest){in.a + a, in.b + b, in.c + c, in.d + d};
}

static Digest md5(const uint8_t *data, size_t size) {
    Digest digest = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    size_t left = size;
    for (; left >= 64; left -= 64, data += 64)
        digest = compress(digest, data);
    uint8_t tail[128] = {0};
    size_t tail_size = left < 56 ? 64 : 128;
    memcpy(tail, data, left);
    tail[left] = 0x80;
    for (int i = 0; i < 8; i++)
        tail[tail_size - 8 + (size_t)i] = (uint8_t)((uint64_t)size * 8 >> (8 * i));
    for (size_t at = 0; at < tail_size; at += 64)
        digest = compress(digest, tail + at);
    return digest;
}

int main(void) {
    static uint8_t data[1 << 16];
    for (int i = 0; i < 64; i++)
        constants[i] = (uint32_t)(fabs(sin(i + 1.0)) * 4294967296.0);
    Digest d = md5((const uint8_t *)"message digest", 14);
    int known = d.a == 0x7d696bf9 && d.d == 0xd061f1aa;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7 + i / 256);
    uint32_t hash = 0;
    for (size_t round = 0; round < 1800; round++) {
        d = md5(data, sizeof data - round % 64);
        data[round] ^= (uint8_t)d.a;
        hash = hash * 31 + (d.a ^ d.b ^ d.c ^ d.d);
    }
    /* A chain of short messages: each is the text of the digest before. */
    char text[40];
    for (int round = 0; round < 250000; round++) {
        int n = snprintf(text, sizeof text, "%08x%08x", (unsigned)d.a, (unsigned)d.c);
        d = md5((const uint8_t *)text, (size_t)n);
    }
    printf("md5 %s %08x %08x\n", known ? "ok" : "bad", (unsigned)hash, (unsigned)d.a);
    return !known;
}
