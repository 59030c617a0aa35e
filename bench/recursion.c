/* Measures: calls and returns: Fibonacci, Takeuchi, Ackermann, hanoi, mutual recursion, permutations by recursion and by prefix
   reversals ("pancakes"), sums over partitions. */
#include <stdint.h>
#include <stdio.h>

static unsigned fibonacci(unsigned n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int takeuchi(int x, int y, int z) {
    return y < x ? takeuchi(takeuchi(x - 1, y, z), takeuchi(y - 1, z, x), takeuchi(z - 1, x, y)) : z;
}

static unsigned ackermann(unsigned m, unsigned n) {
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

typedef struct {
    uint32_t moves, hash;
    int height[3];
} Towers;

static void hanoi(Towers *t, int discs, int from, int to) {
    if (discs == 0)
        return;
    hanoi(t, discs - 1, from, 3 - from - to);
    t->height[from]--;
    t->height[to]++;
    t->moves++;
    t->hash = t->hash * 31 + (uint32_t)(t->height[0] * 4 + t->height[to]);
    hanoi(t, discs - 1, 3 - from - to, to);
}

/* Hofstadter's female and male sequences. */
static int male(int n);

static int female(int n) {
    return n == 0 ? 1 : n - male(female(n - 1));
}

static int male(int n) {
    return n == 0 ? 0 : n - female(male(n - 1));
}

typedef struct {
    int n;
    uint8_t item[12];
    uint32_t count, hash;
} Permuter;

static void permute(Permuter *p, int at) {
    if (at == p->n) {
        p->count++;
        p->hash = p->hash * 33 + p->item[p->count % (uint32_t)p->n];
        return;
    }
    for (int i = at; i < p->n; i++) {
        uint8_t t = p->item[at];
        p->item[at] = p->item[i];
        p->item[i] = t;
        permute(p, at + 1);
        t = p->item[at];
        p->item[at] = p->item[i];
        p->item[i] = t;
    }
}

static int flips(const uint8_t *deck, int n) {
    uint8_t d[12];
    int count = 0;
    for (int i = 0; i < n; i++)
        d[i] = deck[i];
    for (; d[0] != 0; count++)
        for (int low = 0, high = d[0]; low < high; low++, high--) {
            uint8_t t = d[low];
            d[low] = d[high];
            d[high] = t;
        }
    return count;
}

/* The most flips over all orders of n cards, the orders made by rotating prefixes. */
static int most_flips(int n) {
    uint8_t deck[12];
    int rotations[12] = {0}, most = 0;
    for (int i = 0; i < n; i++)
        deck[i] = (uint8_t)i;
    for (;;) {
        int f = flips(deck, n);
        most = f > most ? f : most;
        int r = 1;
        for (;; r++) {
            if (r == n)
                return most;
            uint8_t first = deck[0];
            for (int i = 0; i < r; i++)
                deck[i] = deck[i + 1];
            deck[r] = first;
            if (++rotations[r] <= r)
                break;
            rotations[r] = 0;
        }
    }
}

static uint64_t partitions(int n, int largest) {
    if (n == 0)
        return 1;
    uint64_t sum = 0;
    for (int part = largest < n ? largest : n; part > 0; part--)
        sum += partitions(n - part, part);
    return sum;
}

int main(void) {
    Towers t = {.height = {20, 0, 0}};
    Permuter p = {.n = 10};
    for (int i = 0; i < p.n; i++)
        p.item[i] = (uint8_t)i;
    hanoi(&t, 20, 0, 2);
    permute(&p, 0);
    printf("recursion %u %d %u", fibonacci(38), takeuchi(20, 12, 5), ackermann(3, 9));
    printf(" %u %08x %d %u %08x", (unsigned)t.moves, (unsigned)t.hash, female(130) + male(131), (unsigned)p.count, (unsigned)p.hash);
    printf(" %d %llu\n", most_flips(10), (unsigned long long)partitions(60, 60));
    return 0;
}
