/* Measures: merge sort, bottom-up on an array of 64-bit keys and top-down on a linked list: branches that cannot be predicted,
   stores through several cursors, loads that depend on loads. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1 << 19 };

static void merge(const uint64_t *left, const uint64_t *left_end, const uint64_t *right, const uint64_t *right_end, uint64_t *out) {
    while (left < left_end && right < right_end)
        *out++ = *right < *left ? *right++ : *left++;
    while (left < left_end)
        *out++ = *left++;
    while (right < right_end)
        *out++ = *right++;
}

/* Sorts `v`, using `spare` of the same size; gives the one of the two that holds the result. */
static uint64_t *sort_array(uint64_t *v, uint64_t *spare, size_t n) {
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t i = 0; i < n; i += 2 * width) {
            size_t mid = i + width < n ? i + width : n;
            size_t end = i + 2 * width < n ? i + 2 * width : n;
            merge(v + i, v + mid, v + mid, v + end, spare + i);
        }
        uint64_t *t = v;
        v = spare;
        spare = t;
    }
    return v;
}

typedef struct Item Item;
struct Item {
    Item *next;
    uint32_t key, serial;
};

static Item *merge_lists(Item *a, Item *b) {
    Item head, *tail = &head;
    while (a && b) {
        Item **smaller = b->key < a->key ? &b : &a;
        tail->next = *smaller;
        tail = *smaller;
        *smaller = (*smaller)->next;
    }
    tail->next = a ? a : b;
    return head.next;
}

static Item *sort_list(Item *list) {
    if (!list || !list->next)
        return list;
    Item *slow = list, *fast = list->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    Item *second = slow->next;
    slow->next = NULL;
    return merge_lists(sort_list(list), sort_list(second));
}

int main(void) {
    uint64_t *keys = malloc(COUNT * sizeof *keys), *spare = malloc(COUNT * sizeof *spare);
    Item *items = malloc(COUNT / 4 * sizeof *items);
    if (!keys || !spare || !items)
        return 1;
    uint64_t state = 42, hash = 0;
    for (int round = 0; round < 6; round++) {
        for (size_t i = 0; i < COUNT; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            keys[i] = round % 2 ? state >> 20 : (state >> 44) + i * 16;
        }
        uint64_t *sorted = sort_array(keys, spare, COUNT - (size_t)round);
        for (size_t i = 0; i + 1 < (size_t)(COUNT - round); i++) {
            if (sorted[i] > sorted[i + 1])
                return 1;
            hash = hash * 31 + sorted[i];
        }
    }
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < COUNT / 4; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            items[i] = (Item){i + 1 < COUNT / 4 ? &items[i + 1] : NULL, (uint32_t)(state >> 33) % 5000, i};
        }
        for (const Item *item = sort_list(items); item; item = item->next) {
            if (item->next && (item->key > item->next->key || (item->key == item->next->key && item->serial > item->next->serial)))
                return 1;
            hash = hash * 31 + item->serial;
        }
    }
    printf("sort_merge %016llx\n", (unsigned long long)hash);
    free(keys);
    free(spare);
    free(items);
    return 0;
}
