/* Measures: least-significant-digit radix sort of 32-bit keys with payloads, of floats through their bits, and most-significant-digit
   radix sort of short strings: histograms, scattered stores, prefix sums. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1 << 18, DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, LENGTH = 8 };

typedef struct {
    uint32_t key, payload;
} Pair;

static void sort_pairs(Pair *v, Pair *spare, size_t n) {
    for (int shift = 0; shift < 32; shift += DIGIT_BITS) {
        size_t starts[DIGITS] = {0}, sum = 0;
        for (size_t i = 0; i < n; i++)
            starts[v[i].key >> shift & (DIGITS - 1)]++;
        for (int d = 0; d < DIGITS; d++) {
            size_t here = starts[d];
            starts[d] = sum;
            sum += here;
        }
        for (size_t i = 0; i < n; i++)
            spare[starts[v[i].key >> shift & (DIGITS - 1)]++] = v[i];
        Pair *t = v;
        v = spare;
        spare = t;
    }
}

/* An order-preserving map of IEEE floats to unsigned integers: flip the sign, and all bits of negative ones. */
static uint32_t key_of_float(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
}

static float float_of_key(uint32_t key) {
    uint32_t bits = key ^ (key >> 31 ? 0x80000000u : 0xffffffffu);
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

typedef char String[LENGTH];

static void sort_strings(String *v, String *spare, size_t n, int position) {
    if (n < 2 || position == LENGTH)
        return;
    if (n < 12) {
        for (size_t i = 1; i < n; i++)
            for (size_t j = i; j > 0 && strcmp(v[j - 1], v[j]) > 0; j--) {
                String t;
                memcpy(t, v[j], LENGTH);
                memcpy(v[j], v[j - 1], LENGTH);
                memcpy(v[j - 1], t, LENGTH);
            }
        return;
    }
    size_t ends[DIGITS] = {0}, counts[DIGITS], sum = 0;
    for (size_t i = 0; i < n; i++)
        ends[(unsigned char)v[i][position]]++;
    memcpy(counts, ends, sizeof counts);
    for (int d = 0; d < DIGITS; d++) {
        size_t here = ends[d];
        ends[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++)
        memcpy(spare[ends[(unsigned char)v[i][position]]++], v[i], LENGTH);
    memcpy(v, spare, n * sizeof *v);
    for (int d = 1; d < DIGITS; d++)
        if (counts[d] > 1)
            sort_strings(v + ends[d] - counts[d], spare, counts[d], position + 1);
}

int main(void) {
    Pair *v = malloc(COUNT * sizeof *v), *spare = malloc(COUNT * sizeof *spare);
    String *strings = malloc(COUNT * sizeof *strings), *more = malloc(COUNT * sizeof *more);
    if (!v || !spare || !strings || !more)
        return 1;
    uint32_t seed = 1, hash = 0;
    for (int round = 0; round < 60; round++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            seed = seed * 1664525u + 1013904223u;
            v[i].key = round % 2 ? seed : key_of_float(((float)seed - 2e9f) / 1024.0f);
            v[i].payload = i;
        }
        sort_pairs(v, spare, COUNT);
        float total = 0;
        for (size_t i = 0; i < COUNT; i += 64) {
            if (i && v[i - 1].key > v[i].key)
                return 1;
            hash = hash * 31 + v[i].payload;
            if (round % 2 == 0)
                total += float_of_key(v[i].key);
        }
        hash ^= (uint32_t)(int32_t)(total / 1024.0f);
    }
    for (int round = 0; round < 12; round++) {
        for (size_t i = 0; i < COUNT; i++) {
            seed = seed * 1664525u + 1013904223u;
            memset(strings[i], 0, LENGTH);
            for (size_t c = 0; c < 3 + (seed >> 30); c++)
                strings[i][c] = (char)('a' + (seed >> (c * 4 + 2)) % 20);
        }
        sort_strings(strings, more, COUNT, 0);
        for (size_t i = 1; i < COUNT; i++) {
            if (strcmp(strings[i - 1], strings[i]) > 0)
                return 1;
            hash = hash * 31 + (unsigned char)strings[i][1];
        }
    }
    printf("sort_radix %08x\n", (unsigned)hash);
    free(v);
    free(spare);
    free(strings);
    free(more);
    return 0;
}
