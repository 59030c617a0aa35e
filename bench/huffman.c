/* Measures: canonical Huffman coding: counting, a heap of tree nodes, a bit writer, and a table-driven bit reader. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1 << 20, SYMBOLS = 256, MAX_BITS = 15 };

typedef struct {
    uint8_t lengths[SYMBOLS];
    uint16_t codes[SYMBOLS];
} Code;

/* Depths in the tree made by joining the two rarest nodes again and again; quadratic, but there are few symbols. */
static void assign_lengths(const uint32_t *counts, uint8_t *lengths) {
    uint32_t weight[2 * SYMBOLS];
    int parent[2 * SYMBOLS], nodes = SYMBOLS, roots = SYMBOLS;
    char is_root[2 * SYMBOLS] = {0};
    for (int i = 0; i < SYMBOLS; i++) {
        weight[i] = counts[i] + 1;
        is_root[i] = 1;
    }
    for (; roots > 1; roots--) {
        int low = -1, second = -1;
        for (int i = 0; i < nodes; i++) {
            if (!is_root[i])
                continue;
            if (low < 0 || weight[i] < weight[low]) {
                second = low;
                low = i;
            } else if (second < 0 || weight[i] < weight[second]) {
                second = i;
            }
        }
        weight[nodes] = weight[low] + weight[second];
        is_root[low] = is_root[second] = 0;
        is_root[nodes] = 1;
        parent[low] = parent[second] = nodes++;
    }
    for (int i = 0; i < SYMBOLS; i++) {
        int depth = 0;
        for (int n = i; n != nodes - 1; n = parent[n])
            depth++;
        lengths[i] = (uint8_t)depth;
    }
}

/* Halves the counts until no code is longer than the table's index. */
static void make_code(uint32_t *counts, Code *code) {
    for (;;) {
        int longest = 0;
        assign_lengths(counts, code->lengths);
        for (int i = 0; i < SYMBOLS; i++)
            longest = code->lengths[i] > longest ? code->lengths[i] : longest;
        if (longest <= MAX_BITS)
            break;
        for (int i = 0; i < SYMBOLS; i++)
            counts[i] = counts[i] / 2;
    }
    uint16_t next = 0;
    for (int bits = 1; bits <= MAX_BITS; bits++, next = (uint16_t)(next << 1))
        for (int i = 0; i < SYMBOLS; i++)
            if (code->lengths[i] == bits)
                code->codes[i] = next++;
}

static size_t encode(const Code *code, const uint8_t *in, size_t n, uint8_t *out) {
    uint8_t *start = out;
    uint64_t buffer = 0;
    int filled = 0;
    for (size_t i = 0; i < n; i++) {
        buffer = buffer << code->lengths[in[i]] | code->codes[in[i]];
        filled += code->lengths[in[i]];
        while (filled >= 8) {
            filled -= 8;
            *out++ = (uint8_t)(buffer >> filled);
        }
    }
    if (filled > 0)
        *out++ = (uint8_t)(buffer << (8 - filled));
    return (size_t)(out - start);
}

static uint8_t table_symbol[1 << MAX_BITS];

static void decode(const Code *code, const uint8_t *in, size_t size, uint8_t *out, size_t n) {
    for (int s = 0; s < SYMBOLS; s++) {
        int rest = MAX_BITS - code->lengths[s];
        memset(table_symbol + ((size_t)code->codes[s] << rest), s, (size_t)1 << rest);
    }
    const uint8_t *end = in + size;
    uint32_t buffer = 0;
    int filled = 0;
    for (size_t i = 0; i < n; i++) {
        while (filled < MAX_BITS) {
            buffer = buffer << 8 | (in < end ? *in++ : 0u);
            filled += 8;
        }
        uint8_t symbol = table_symbol[buffer >> (filled - MAX_BITS) & ((1u << MAX_BITS) - 1)];
        filled -= code->lengths[symbol];
        *out++ = symbol;
    }
}

int main(void) {
    uint8_t *data = malloc(SIZE), *packed = malloc(2 * SIZE), *again = malloc(SIZE);
    if (!data || !packed || !again)
        return 1;
    uint32_t seed = 3, hash = 0;
    size_t total = 0;
    for (uint32_t round = 0; round < 24; round++) {
        uint32_t counts[SYMBOLS] = {0};
        for (size_t i = 0; i < SIZE; i++) {
            seed = seed * 1664525u + 1013904223u;
            uint32_t a = seed >> 24, b = seed >> 16 & 255, c = seed >> 8 & 255;
            data[i] = (uint8_t)(a * b / 256 * c / 256 + round);
            counts[data[i]]++;
        }
        Code code;
        make_code(counts, &code);
        size_t size = encode(&code, data, SIZE, packed);
        decode(&code, packed, size, again, SIZE);
        if (memcmp(data, again, SIZE) != 0) {
            puts("huffman differs");
            return 1;
        }
        total += size;
        for (size_t i = 0; i < size; i += 7)
            hash = hash * 31 + packed[i];
    }
    printf("huffman %zu %08x\n", total, (unsigned)hash);
    free(data);
    free(packed);
    free(again);
    return 0;
}
