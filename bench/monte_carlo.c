/* Measures: pseudo-random generators (xoshiro256**, PCG32, an additive one with memory) feeding simulations: pi by darts, a random
   walk, Box-Muller normals, a shuffled deck. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    uint64_t s[4];
} Xoshiro;

typedef struct {
    uint64_t state;
} Pcg;

typedef struct {
    uint32_t v[55];
    int i, j;
} Additive;

static uint64_t split_mix(uint64_t *x) {
    uint64_t z = *x += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint64_t rotate(uint64_t x, int n) {
    return x << n | x >> (64 - n);
}

static uint64_t next_xoshiro(Xoshiro *x) {
    uint64_t result = rotate(x->s[1] * 5, 7) * 9, t = x->s[1] << 17;
    x->s[2] ^= x->s[0];
    x->s[3] ^= x->s[1];
    x->s[1] ^= x->s[2];
    x->s[0] ^= x->s[3];
    x->s[2] ^= t;
    x->s[3] = rotate(x->s[3], 45);
    return result;
}

static uint32_t next_pcg(Pcg *p) {
    uint64_t old = p->state;
    p->state = old * 6364136223846793005u + 1442695040888963407u;
    uint32_t mixed = (uint32_t)((old >> 18 ^ old) >> 27);
    unsigned rotation = (unsigned)(old >> 59);
    return mixed >> rotation | mixed << (-rotation & 31);
}

static uint32_t next_additive(Additive *a) {
    uint32_t value = a->v[a->i] += a->v[a->j];
    a->i = a->i == 0 ? 54 : a->i - 1;
    a->j = a->j == 0 ? 54 : a->j - 1;
    return value;
}

static double uniform(Xoshiro *x) {
    return (double)(next_xoshiro(x) >> 11) * 0x1p-53;
}

static double pi_by_darts(Xoshiro *x, int throws) {
    int inside = 0;
    for (int i = 0; i < throws; i++) {
        double a = uniform(x), b = uniform(x);
        inside += a * a + b * b < 1;
    }
    return 4.0 * inside / throws;
}

static double variance_of_normals(Xoshiro *x, int pairs) {
    double sum = 0, squares = 0;
    for (int i = 0; i < pairs; i++) {
        double radius = sqrt(-2 * log(1 - uniform(x))), angle = 6.283185307179586 * uniform(x);
        double a = radius * cos(angle), b = radius * sin(angle);
        sum += a + b;
        squares += a * a + b * b;
    }
    double mean = sum / (2.0 * pairs);
    return squares / (2.0 * pairs) - mean * mean;
}

/* Mean squared distance of walks on a square lattice. */
static double walk(Pcg *p, int walks, int steps) {
    static const int dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};
    double total = 0;
    for (int w = 0; w < walks; w++) {
        int x = 0, y = 0;
        for (int s = 0; s < steps; s++) {
            unsigned d = next_pcg(p) >> 30;
            x += dx[d];
            y += dy[d];
        }
        total += (double)(x * x + y * y);
    }
    return total / walks;
}

/* How often a shuffled deck leaves no card in its place, in 100000. */
static int derangements(Additive *a, int decks) {
    int count = 0;
    uint8_t card[52];
    for (int d = 0; d < decks; d++) {
        for (int i = 0; i < 52; i++)
            card[i] = (uint8_t)i;
        for (uint32_t i = 51; i > 0; i--) {
            uint32_t j = (uint32_t)((uint64_t)next_additive(a) * (i + 1) >> 32);
            uint8_t t = card[i];
            card[i] = card[j];
            card[j] = t;
        }
        int moved = 1;
        for (int i = 0; i < 52; i++)
            moved &= card[i] != i;
        count += moved;
    }
    return (int)((int64_t)count * 100000 / decks);
}

int main(void) {
    uint64_t seed = 1;
    Xoshiro x;
    Pcg p = {42};
    Additive a = {.i = 54, .j = 23};
    for (int i = 0; i < 4; i++)
        x.s[i] = split_mix(&seed);
    for (int i = 0; i < 55; i++)
        a.v[i] = (uint32_t)split_mix(&seed);
    double pi = pi_by_darts(&x, 30000000);
    double variance = variance_of_normals(&x, 2500000);
    double squared = walk(&p, 50000, 1000);
    printf("monte_carlo %.6f %.6f %.4f %d\n", pi, variance, squared, derangements(&a, 500000));
    return 0;
}
