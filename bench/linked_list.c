/* Measures: pointer chasing: a random cycle through an array, doubly linked lists with a cache that forgets what was used longest ago,
   the Josephus problem, reversal, a skip list. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { CYCLE = 1 << 15, CACHE = 512, KEYS = 4096, LEVELS = 12 };

typedef struct Link Link;
struct Link {
    Link *next;
    uint32_t value;
};

static uint32_t next_random(uint32_t *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* One cycle through all links, in random order (Sattolo 1986). */
static void make_cycle(Link *links, uint32_t *order, uint32_t *seed) {
    for (uint32_t i = 0; i < CYCLE; i++)
        order[i] = i;
    for (uint32_t i = CYCLE - 1; i > 0; i--) {
        uint32_t j = next_random(seed) % i, t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
    for (uint32_t i = 0; i < CYCLE; i++)
        links[order[i]] = (Link){&links[order[(i + 1) % CYCLE]], i};
}

static uint32_t chase(const Link *at, int steps) {
    uint32_t sum = 0;
    for (; steps > 0; steps--, at = at->next)
        sum += at->value ^ (uint32_t)steps;
    return sum;
}

static Link *reverse(Link *list) {
    Link *out = NULL;
    while (list) {
        Link *next = list->next;
        list->next = out;
        out = list;
        list = next;
    }
    return out;
}

typedef struct Entry Entry;
struct Entry {
    Entry *before, *after;
    uint32_t key;
};

typedef struct {
    Entry head, entries[CACHE];
    Entry *of_key[KEYS];
    int used;
} Cache;

static void cut(Entry *e) {
    e->before->after = e->after;
    e->after->before = e->before;
}

static void to_front(Cache *c, Entry *e) {
    e->after = c->head.after;
    e->before = &c->head;
    e->after->before = e;
    c->head.after = e;
}

static int touch(Cache *c, uint32_t key) {
    Entry *e = c->of_key[key];
    int hit = e != NULL;
    if (hit) {
        cut(e);
    } else {
        if (c->used < CACHE) {
            e = &c->entries[c->used++];
        } else {
            e = c->head.before;
            cut(e);
            c->of_key[e->key] = NULL;
        }
        e->key = key;
        c->of_key[key] = e;
    }
    to_front(c, e);
    return hit;
}

typedef struct Tower Tower;
struct Tower {
    uint32_t key;
    Tower *next[LEVELS];
};

/* Skip list (Pugh 1990); gives 0 for a key that is there already. */
static int skip_insert(Tower *head, uint32_t key, uint32_t random) {
    Tower *path[LEVELS], *at = head;
    for (int level = LEVELS - 1; level >= 0; level--) {
        while (at->next[level] && at->next[level]->key < key)
            at = at->next[level];
        path[level] = at;
    }
    if (at->next[0] && at->next[0]->key == key)
        return 0;
    Tower *t = calloc(1, sizeof *t);
    if (!t)
        exit(1);
    t->key = key;
    for (int level = 0; level < LEVELS; level++, random >>= 1) {
        t->next[level] = path[level]->next[level];
        path[level]->next[level] = t;
        if (random & 1)
            break;
    }
    return 1;
}

static uint32_t josephus(Link *links, uint32_t n, uint32_t step) {
    for (uint32_t i = 0; i < n; i++)
        links[i] = (Link){&links[(i + 1) % n], i};
    Link *at = &links[n - 1];
    while (at->next != at) {
        for (uint32_t i = 1; i < step; i++)
            at = at->next;
        at->next = at->next->next;
    }
    return at->value;
}

int main(void) {
    static Link links[CYCLE];
    static uint32_t order[CYCLE];
    static Cache cache;
    uint32_t seed = 2463534242u, sum = 0, hits = 0, inserted = 0;
    make_cycle(links, order, &seed);
    sum = chase(links, 20000000);
    cache.head.before = cache.head.after = &cache.head;
    for (int i = 0; i < 10000000; i++) {
        uint32_t r = next_random(&seed);
        hits += (uint32_t)touch(&cache, (r >> 8 & r >> 20) % KEYS);
    }
    for (uint32_t i = 0; i < 200; i++)
        sum = sum * 31 + josephus(links, 10000 + i, 7);
    for (int i = 0; i < CYCLE; i++)
        links[i].next = i + 1 < CYCLE ? &links[i + 1] : NULL;
    Link *list = links;
    for (int i = 0; i < 301; i++)
        list = reverse(list);
    Tower head = {0};
    for (int i = 0; i < 150000; i++) {
        uint32_t key = 1 + next_random(&seed) % 100000;
        inserted += (uint32_t)skip_insert(&head, key, next_random(&seed));
    }
    for (Tower *t = head.next[0], *next; t; t = next) {
        next = t->next[0];
        sum = sum * 31 + t->key;
        free(t);
    }
    printf("linked_list %08x %u %u %u\n", (unsigned)sum, (unsigned)hits, (unsigned)inserted, (unsigned)list->value);
    return 0;
}
