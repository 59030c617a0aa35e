/* Measures: an LZ77 compressor with hash chains and its decompressor, bytes and copies of short overlapping runs. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1 << 20, WINDOW = 1 << 15, HASH_BITS = 14, MIN_MATCH = 4, MAX_MATCH = 255, CHAIN = 24 };

typedef struct {
    int32_t head[1 << HASH_BITS];
    int32_t previous[WINDOW];
} Finder;

static uint32_t hash4(const uint8_t *p) {
    uint32_t v = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    return v * 2654435761u >> (32 - HASH_BITS);
}

static void remember(Finder *f, const uint8_t *data, int32_t at) {
    uint32_t h = hash4(data + at);
    f->previous[at & (WINDOW - 1)] = f->head[h];
    f->head[h] = at;
}

static int match_length(const uint8_t *a, const uint8_t *b, int limit) {
    int n = 0;
    while (n < limit && a[n] == b[n])
        n++;
    return n;
}

static int longest_match(const Finder *f, const uint8_t *data, int32_t at, int32_t size, int *distance) {
    int limit = size - at < MAX_MATCH ? size - at : MAX_MATCH;
    int best = 0;
    int32_t candidate = f->head[hash4(data + at)];
    for (int tries = 0; tries < CHAIN && candidate >= 0 && at - candidate < WINDOW; tries++) {
        if (best == 0 || data[candidate + best] == data[at + best]) {
            int n = match_length(data + candidate, data + at, limit);
            if (n > best) {
                best = n;
                *distance = at - candidate;
                if (n == limit)
                    break;
            }
        }
        int32_t next = f->previous[candidate & (WINDOW - 1)];
        if (next >= candidate)
            break;
        candidate = next;
    }
    return best;
}

/* Format: a flag byte for eight items; literal = one byte, match = length byte and two bytes of distance. */
static size_t compress(Finder *f, const uint8_t *data, int32_t size, uint8_t *out) {
    uint8_t *p = out, *flags = p++;
    int bit = 0;
    for (int i = 0; i < 1 << HASH_BITS; i++)
        f->head[i] = -1;
    *flags = 0;
    for (int32_t at = 0; at < size;) {
        int distance = 0, length = at + MIN_MATCH < size ? longest_match(f, data, at, size, &distance) : 0;
        if (bit == 8) {
            flags = p++;
            *flags = 0;
            bit = 0;
        }
        if (length >= MIN_MATCH) {
            *flags = (uint8_t)(*flags | 1 << bit);
            *p++ = (uint8_t)length;
            *p++ = (uint8_t)distance;
            *p++ = (uint8_t)(distance >> 8);
        } else {
            length = 1;
            *p++ = data[at];
        }
        bit++;
        for (; length > 0; length--, at++)
            if (at + MIN_MATCH < size)
                remember(f, data, at);
    }
    return (size_t)(p - out);
}

static size_t expand(const uint8_t *in, size_t size, uint8_t *out) {
    const uint8_t *end = in + size;
    uint8_t *p = out;
    while (in < end) {
        unsigned flags = *in++;
        for (int bit = 0; bit < 8 && in < end; bit++, flags >>= 1) {
            if (flags & 1) {
                int length = in[0], distance = in[1] | in[2] << 8;
                in += 3;
                for (const uint8_t *from = p - distance; length > 0; length--)
                    *p++ = *from++;
            } else {
                *p++ = *in++;
            }
        }
    }
    return (size_t)(p - out);
}

/* Text of words from a skewed vocabulary, so that there is something to find. */
static void make_text(uint8_t *data, size_t size) {
    uint32_t seed = 5;
    size_t i = 0;
    while (i < size) {
        seed = seed * 1664525u + 1013904223u;
        uint32_t word = (seed >> 16) % ((seed >> 8 & 7) + 1) * 977 + (seed >> 28) * (seed >> 28);
        for (uint32_t n = 2 + word % 7; n > 0 && i < size; n--) {
            data[i++] = (uint8_t)('a' + word % 26);
            word = word * 31 + 17;
        }
        if (i < size)
            data[i++] = seed >> 27 == 0 ? '\n' : ' ';
    }
}

int main(void) {
    uint8_t *data = malloc(SIZE), *packed = malloc(2 * SIZE), *again = malloc(SIZE);
    Finder *finder = calloc(1, sizeof *finder);
    if (!data || !packed || !again || !finder)
        return 1;
    make_text(data, SIZE);
    uint32_t sum = 0;
    size_t total = 0;
    for (int round = 0; round < 16; round++) {
        size_t n = compress(finder, data, SIZE - round, packed);
        total += n;
        for (size_t i = 0; i < n; i++)
            sum = sum * 257 + packed[i];
        if (expand(packed, n, again) != (size_t)(SIZE - round) || memcmp(data, again, (size_t)(SIZE - round)) != 0) {
            puts("lz77 differs");
            return 1;
        }
        for (int i = round; i < SIZE; i += 61)
            data[i] ^= 1;
    }
    printf("lz77 %zu %08x\n", total, (unsigned)sum);
    free(data);
    free(packed);
    free(again);
    free(finder);
    return 0;
}
