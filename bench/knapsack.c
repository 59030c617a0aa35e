/* Measures: dynamic programming over one row: 0/1 knapsack, unbounded coin change, longest increasing subsequence, subset sums as bits. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ITEMS = 200, CAPACITY = 20000, COINS = 12, SEQUENCE = 200000, SUBSET_WORDS = 1600 };

typedef struct {
    int weight, value;
} Item;

static int best_value(const Item *items, int count, int capacity, uint64_t *chosen_hash) {
    static int32_t best[CAPACITY + 1];
    static uint8_t taken[ITEMS][CAPACITY + 1];
    memset(best, 0, sizeof best);
    for (int i = 0; i < count; i++) {
        memset(taken[i], 0, sizeof taken[i]);
        for (int w = capacity; w >= items[i].weight; w--) {
            int32_t with = best[w - items[i].weight] + items[i].value;
            if (with > best[w]) {
                best[w] = with;
                taken[i][w] = 1;
            }
        }
    }
    for (int i = count - 1, w = capacity; i >= 0; i--)
        if (taken[i][w]) {
            *chosen_hash = *chosen_hash * 31 + (uint64_t)i;
            w -= items[i].weight;
        }
    return best[capacity];
}

static uint32_t ways_to_change(const int *coins, int count, int amount) {
    static uint32_t ways[CAPACITY + 1];
    memset(ways, 0, sizeof ways);
    ways[0] = 1;
    for (int c = 0; c < count; c++)
        for (int a = coins[c]; a <= amount; a++)
            ways[a] = (ways[a] + ways[a - coins[c]]) % 1000000007u;
    return ways[amount];
}

static int longest_increasing(const uint32_t *v, int n) {
    static uint32_t tails[SEQUENCE];
    int length = 0;
    for (int i = 0; i < n; i++) {
        int low = 0, high = length;
        while (low < high) {
            int mid = (low + high) / 2;
            if (tails[mid] < v[i])
                low = mid + 1;
            else
                high = mid;
        }
        tails[low] = v[i];
        length += low == length;
    }
    return length;
}

/* Bit i of the set: some of the items weigh i together. */
static uint32_t subset_sums(const Item *items, int count) {
    static uint64_t set[SUBSET_WORDS];
    memset(set, 0, sizeof set);
    set[0] = 1;
    for (int i = 0; i < count; i++) {
        int words = items[i].weight / 64, bits = items[i].weight % 64;
        for (int w = SUBSET_WORDS - 1; w >= words; w--) {
            uint64_t moved = set[w - words] << bits;
            if (bits && w > words)
                moved |= set[w - words - 1] >> (64 - bits);
            set[w] |= moved;
        }
    }
    uint32_t hash = 0;
    for (int w = 0; w < SUBSET_WORDS; w++)
        hash = hash * 31 + (uint32_t)(set[w] ^ set[w] >> 32);
    return hash;
}

int main(void) {
    static const int coins[COINS] = {1, 2, 5, 10, 20, 25, 50, 75, 100, 200, 500, 1000};
    static uint32_t sequence[SEQUENCE];
    static Item items[ITEMS];
    uint32_t seed = 6;
    uint64_t hash = 0;
    for (int round = 0; round < 24; round++) {
        for (int i = 0; i < ITEMS; i++) {
            seed = seed * 1664525u + 1013904223u;
            items[i] = (Item){50 + (int)(seed >> 16) % 400, 10 + (int)(seed >> 8) % 1000};
        }
        for (int i = 0; i < SEQUENCE; i++) {
            seed = seed * 1664525u + 1013904223u;
            sequence[i] = (seed >> 8) + (uint32_t)i * 20;
        }
        hash = hash * 31 + (uint64_t)best_value(items, ITEMS, CAPACITY, &hash);
        hash = hash * 31 + ways_to_change(coins, COINS, CAPACITY - round);
        hash = hash * 31 + (uint64_t)longest_increasing(sequence, SEQUENCE);
        hash = hash * 31 + subset_sums(items, ITEMS);
    }
    printf("knapsack %016llx\n", (unsigned long long)hash);
    return 0;
}
