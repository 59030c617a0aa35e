/* Measures: adaptive binary arithmetic coding (a carry-propagating range coder with 11-bit probabilities, as in LZMA) with an
   order-1 model of bytes: dependent multiplies and shifts, a branch per bit. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 600000, PROBABILITY_BITS = 11, RATE = 5 };
static const uint32_t TOP = 1u << 24;

typedef struct {
    uint16_t zero[256][256]; /* probability of a zero bit, by previous byte and the bits of this one so far */
} Model;

typedef struct {
    uint64_t low;
    uint32_t range;
    uint8_t cache;
    uint64_t pending;
    uint8_t *out;
} Encoder;

typedef struct {
    uint32_t range, code;
    const uint8_t *in;
} Decoder;

static void reset(Model *m) {
    for (int i = 0; i < 256; i++)
        for (int j = 0; j < 256; j++)
            m->zero[i][j] = 1 << (PROBABILITY_BITS - 1);
}

static void shift_low(Encoder *e) {
    if ((uint32_t)e->low < 0xff000000u || e->low >> 32) {
        uint8_t carry = (uint8_t)(e->low >> 32), byte = e->cache;
        do {
            *e->out++ = (uint8_t)(byte + carry);
            byte = 0xff;
        } while (--e->pending);
        e->cache = (uint8_t)(e->low >> 24);
    }
    e->pending++;
    e->low = (uint32_t)e->low << 8;
}

static void encode_bit(Encoder *e, uint16_t *p, unsigned bit) {
    uint32_t bound = (e->range >> PROBABILITY_BITS) * *p;
    if (!bit) {
        e->range = bound;
        *p = (uint16_t)(*p + (((1 << PROBABILITY_BITS) - *p) >> RATE));
    } else {
        e->low += bound;
        e->range -= bound;
        *p = (uint16_t)(*p - (*p >> RATE));
    }
    while (e->range < TOP) {
        e->range <<= 8;
        shift_low(e);
    }
}

static unsigned decode_bit(Decoder *d, uint16_t *p) {
    uint32_t bound = (d->range >> PROBABILITY_BITS) * *p;
    unsigned bit = d->code >= bound;
    if (!bit) {
        d->range = bound;
        *p = (uint16_t)(*p + (((1 << PROBABILITY_BITS) - *p) >> RATE));
    } else {
        d->code -= bound;
        d->range -= bound;
        *p = (uint16_t)(*p - (*p >> RATE));
    }
    while (d->range < TOP) {
        d->range <<= 8;
        d->code = d->code << 8 | *d->in++;
    }
    return bit;
}

static size_t encode(Model *m, const uint8_t *in, size_t n, uint8_t *out) {
    Encoder e = {.range = 0xffffffffu, .pending = 1, .out = out};
    unsigned previous = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned context = 1;
        for (int b = 7; b >= 0; b--) {
            unsigned bit = (unsigned)in[i] >> b & 1;
            encode_bit(&e, &m->zero[previous][context], bit);
            context = context << 1 | bit;
        }
        previous = in[i];
    }
    for (int i = 0; i < 5; i++)
        shift_low(&e);
    return (size_t)(e.out - out);
}

static void decode(Model *m, const uint8_t *in, uint8_t *out, size_t n) {
    Decoder d = {0xffffffffu, 0, in + 1};
    for (int i = 0; i < 4; i++)
        d.code = d.code << 8 | *d.in++;
    unsigned previous = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned context = 1;
        while (context < 256)
            context = context << 1 | decode_bit(&d, &m->zero[previous][context]);
        out[i] = (uint8_t)context;
        previous = out[i];
    }
}

static Model model;

int main(void) {
    uint8_t *data = malloc(SIZE), *packed = malloc(2 * SIZE), *again = malloc(SIZE);
    if (!data || !packed || !again)
        return 1;
    memset(packed, 0, 2 * SIZE);
    uint32_t seed = 11, hash = 0;
    size_t total = 0;
    for (int round = 0; round < 7; round++) {
        unsigned value = 100;
        for (size_t i = 0; i < SIZE; i++) {
            seed = seed * 1664525u + 1013904223u;
            value = seed >> 28 ? value + (seed >> 20 & 7) - 3 : seed >> 12;
            data[i] = (uint8_t)(value & 0x7f);
        }
        reset(&model);
        size_t size = encode(&model, data, SIZE, packed);
        reset(&model);
        decode(&model, packed, again, SIZE);
        if (memcmp(data, again, SIZE) != 0) {
            puts("range_coder differs");
            return 1;
        }
        total += size;
        for (size_t i = 0; i < size; i++)
            hash = hash * 31 + packed[i];
    }
    printf("range_coder %zu %08x\n", total, (unsigned)hash);
    free(data);
    free(packed);
    free(again);
    return 0;
}
