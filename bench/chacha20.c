/* Measures: the ChaCha20 stream cipher (RFC 8439) and Poly1305-like hashing by 64-bit multiplies: sixteen live words, rotates. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BUFFER = 1 << 16 };

typedef struct {
    uint32_t words[16];
} State;

static uint32_t rotate(uint32_t x, int n) {
    return x << n | x >> (32 - n);
}

static void quarter(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d) {
    *a += *b, *d = rotate(*d ^ *a, 16);
    *c += *d, *b = rotate(*b ^ *c, 12);
    *a += *b, *d = rotate(*d ^ *a, 8);
    *c += *d, *b = rotate(*b ^ *c, 7);
}

static State state_new(const uint32_t key[8], uint32_t counter, const uint32_t nonce[3]) {
    State s = {{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}};
    memcpy(&s.words[4], key, 32);
    s.words[12] = counter;
    memcpy(&s.words[13], nonce, 12);
    return s;
}

static void block(const State *s, uint8_t out[64]) {
    uint32_t x[16];
    memcpy(x, s->words, sizeof x);
    for (int i = 0; i < 10; i++) {
        quarter(&x[0], &x[4], &x[8], &x[12]);
        quarter(&x[1], &x[5], &x[9], &x[13]);
        quarter(&x[2], &x[6], &x[10], &x[14]);
        quarter(&x[3], &x[7], &x[11], &x[15]);
        quarter(&x[0], &x[5], &x[10], &x[15]);
        quarter(&x[1], &x[6], &x[11], &x[12]);
        quarter(&x[2], &x[7], &x[8], &x[13]);
        quarter(&x[3], &x[4], &x[9], &x[14]);
    }
    for (int i = 0; i < 16; i++) {
        uint32_t v = x[i] + s->words[i];
        out[4 * i] = (uint8_t)v;
        out[4 * i + 1] = (uint8_t)(v >> 8);
        out[4 * i + 2] = (uint8_t)(v >> 16);
        out[4 * i + 3] = (uint8_t)(v >> 24);
    }
}

static void apply(State *s, uint8_t *data, size_t size) {
    uint8_t stream[64];
    for (size_t at = 0; at < size; at += 64) {
        block(s, stream);
        s->words[12]++;
        for (size_t i = 0; i < 64; i++)
            data[at + i] ^= stream[i];
    }
}

/* A polynomial hash modulo 2^61 - 1, eight bytes at a time. */
static uint64_t polynomial(const uint8_t *data, size_t size, uint64_t point) {
    const uint64_t prime = ((uint64_t)1 << 61) - 1;
    uint64_t sum = 0;
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word = 0;
        for (size_t i = 0; i < 8; i++)
            word |= (uint64_t)data[at + i] << (8 * i);
        uint64_t x = sum + (word >> 4);
        uint64_t high = (x >> 32) * point, low = (x & 0xffffffffu) * point;
        sum = (high >> 29) + ((high << 32) & prime) + (low >> 61) + (low & prime);
        sum = (sum & prime) + (sum >> 61);
    }
    return sum;
}

int main(void) {
    static uint8_t data[BUFFER];
    uint32_t key[8], nonce[3] = {0x09000000, 0x4a000000, 0};
    uint8_t out[64];
    for (uint32_t i = 0; i < 8; i++)
        key[i] = 0x03020100 + i * 0x04040404;
    /* RFC 8439, section 2.3.2. */
    State s = state_new(key, 1, nonce);
    block(&s, out);
    int known = out[0] == 0x10 && out[1] == 0xf1 && out[63] == 0x4e;
    uint64_t tags = 0;
    for (uint32_t round = 0; round < 1400; round++) {
        nonce[2] = round;
        s = state_new(key, round, nonce);
        apply(&s, data, BUFFER);
        tags = tags * 31 + polynomial(data, BUFFER, 0x1234567 + round);
    }
    printf("chacha20 %s %016llx\n", known ? "ok" : "bad", (unsigned long long)tags);
    return !known;
}
