/* Measures: an open-addressing hash map from strings to counters (FNV-1a, linear probing, growth by doubling, deletion with
   back-shifting) and one from integers: byte loops, memcmp, unpredictable loads. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *key;
    uint32_t hash;
    int32_t value;
} Slot;

typedef struct {
    Slot *slots;
    size_t capacity, used;
} Map;

static uint32_t hash_string(const char *s) {
    uint32_t h = 2166136261u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return h;
}

static void *check(void *p) {
    if (!p) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return p;
}

static Slot *probe(const Map *m, const char *key, uint32_t hash) {
    size_t mask = m->capacity - 1;
    size_t i = hash & mask;
    while (m->slots[i].key && (m->slots[i].hash != hash || strcmp(m->slots[i].key, key) != 0))
        i = (i + 1) & mask;
    return &m->slots[i];
}

static void grow(Map *m) {
    Map bigger = {check(calloc(m->capacity * 2, sizeof(Slot))), m->capacity * 2, m->used};
    for (size_t i = 0; i < m->capacity; i++)
        if (m->slots[i].key)
            *probe(&bigger, m->slots[i].key, m->slots[i].hash) = m->slots[i];
    free(m->slots);
    *m = bigger;
}

static int32_t *map_at(Map *m, const char *key) {
    uint32_t hash = hash_string(key);
    Slot *slot = probe(m, key, hash);
    if (!slot->key) {
        if ((m->used + 1) * 4 > m->capacity * 3) {
            grow(m);
            slot = probe(m, key, hash);
        }
        size_t size = strlen(key) + 1;
        slot->key = memcpy(check(malloc(size)), key, size);
        slot->hash = hash;
        slot->value = 0;
        m->used++;
    }
    return &slot->value;
}

static int map_remove(Map *m, const char *key) {
    Slot *slot = probe(m, key, hash_string(key));
    if (!slot->key)
        return 0;
    free(slot->key);
    size_t mask = m->capacity - 1, hole = (size_t)(slot - m->slots);
    for (size_t i = (hole + 1) & mask; m->slots[i].key; i = (i + 1) & mask) {
        size_t home = m->slots[i].hash & mask;
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            m->slots[hole] = m->slots[i];
            hole = i;
        }
    }
    m->slots[hole].key = NULL;
    m->used--;
    return 1;
}

static void make_word(char *out, uint32_t n) {
    static const char *const parts[] = {"ba", "ce", "di", "fo", "gu", "han", "jel", "kim", "lor", "mup", "nat", "pes", "qi", "ro", "su", "ty"};
    char *p = out;
    do {
        for (const char *s = parts[n & 15]; *s; s++)
            *p++ = *s;
        n >>= 4;
    } while (n);
    *p = '\0';
}

/* Integer keys, zero means empty, multiplicative hashing. */
enum { BITS = 17 };
static uint64_t keys[1 << BITS];
static uint32_t counts[1 << BITS];

static uint32_t *counter(uint64_t key) {
    size_t i = (size_t)(key * 0x9e3779b97f4a7c15u >> (64 - BITS));
    while (keys[i] && keys[i] != key)
        i = (i + 1) & ((1 << BITS) - 1);
    keys[i] = key;
    return &counts[i];
}

int main(void) {
    Map m = {check(calloc(16, sizeof(Slot))), 16, 0};
    char word[64];
    uint32_t seed = 99, removed = 0, hash = 0;
    for (int i = 0; i < 3000000; i++) {
        seed = seed * 1664525u + 1013904223u;
        make_word(word, (seed >> 8) % (1u << (8 + i % 10)));
        if (seed >> 29 == 0)
            removed += (uint32_t)map_remove(&m, word);
        else
            *map_at(&m, word) += 1;
    }
    for (size_t i = 0; i < m.capacity; i++)
        if (m.slots[i].key) {
            hash += m.slots[i].hash * (uint32_t)m.slots[i].value;
            free(m.slots[i].key);
        }
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 8000000; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        *counter(1 + (x >> 40) % 90000) += (uint32_t)i & 15;
    }
    for (int i = 0; i < 1 << BITS; i++)
        hash = hash * 31 + counts[i];
    printf("hash_map %zu %u %08x\n", m.used, (unsigned)removed, (unsigned)hash);
    free(m.slots);
    return 0;
}
