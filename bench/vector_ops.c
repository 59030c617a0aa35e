/* Measures: loops over arrays that a vectoriser can take: sums, dot products, minima, saxpy, comparisons into masks, widening
   and narrowing conversions, prefix sums, gathers, polynomial evaluation. */
#include <stdint.h>
#include <stdio.h>

enum { N = 8192, ROUNDS = 4000 };

static int32_t ints[N], others[N], out[N];
static float floats[N], more[N];
static double doubles[N];
static uint8_t bytes[N], mask[N];
static int16_t shorts[N];

static int32_t sum_ints(const int32_t *v, int n) {
    int32_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum;
}

static uint64_t sum_products(const int32_t *a, const int32_t *b, int n) {
    uint64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += (uint64_t)((int64_t)a[i] * b[i]);
    return sum;
}

static uint32_t sum_bytes(const uint8_t *v, int n) {
    uint32_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum;
}

static int32_t largest(const int32_t *v, int n) {
    int32_t max = v[0];
    for (int i = 1; i < n; i++)
        max = v[i] > max ? v[i] : max;
    return max;
}

static int count_above(const int32_t *v, int n, int32_t limit) {
    int count = 0;
    for (int i = 0; i < n; i++)
        count += v[i] > limit;
    return count;
}

static void saxpy(float *restrict y, const float *restrict x, float a, int n) {
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

static double dot(const double *a, const float *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * (double)b[i];
    return sum;
}

static void polynomial(double *restrict v, const float *restrict x, int n) {
    for (int i = 0; i < n; i++) {
        double t = (double)x[i];
        v[i] = ((0.125 * t - 0.5) * t + 0.25) * t + 1;
    }
}

static void make_mask(uint8_t *restrict m, const uint8_t *restrict v, uint8_t limit, int n) {
    for (int i = 0; i < n; i++)
        m[i] = v[i] < limit ? 255 : 0;
}

static void blend(int16_t *restrict to, const uint8_t *restrict a, const uint8_t *restrict b, int n) {
    for (int i = 0; i < n; i++)
        to[i] = (int16_t)((a[i] * 3 + b[i]) / 4 - 100);
}

static void gather(int32_t *restrict to, const int32_t *restrict from, const int32_t *restrict index, int n) {
    for (int i = 0; i < n; i++)
        to[i] = from[index[i] & (N - 1)] ^ (index[i] >> 3);
}

static void prefix_sums(int32_t *v, int n) {
    for (int i = 1; i < n; i++)
        v[i] = (int32_t)((uint32_t)v[i] + (uint32_t)v[i - 1]);
}

static int first_difference(const int32_t *a, const int32_t *b, int n) {
    for (int i = 0; i < n; i++)
        if (a[i] != b[i])
            return i;
    return n;
}

int main(void) {
    uint32_t seed = 7;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        ints[i] = (int32_t)(seed >> 12) - (1 << 18);
        ints[i] /= 64;
        others[i] = (int32_t)(seed >> 8 & 0xffff);
        bytes[i] = (uint8_t)(seed >> 24);
        floats[i] = (float)(seed >> 16) / 65536.0f;
        doubles[i] = i * 0.25;
    }
    uint64_t hash = 0;
    double total = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int n = N - round % 7;
        hash = hash * 31 + (uint32_t)sum_ints(ints, n) + sum_products(ints, others, n);
        hash = hash * 31 + sum_bytes(bytes, n) + (uint32_t)largest(ints, n);
        hash = hash * 31 + (uint32_t)count_above(ints, n, round - 1000);
        saxpy(more, floats, 0.001f, n);
        total += dot(doubles, more, n) * 1e-6;
        polynomial(doubles, floats, n);
        make_mask(mask, bytes, (uint8_t)round, n);
        blend(shorts, bytes, mask, n);
        gather(out, ints, others, n);
        hash = hash * 31 + (uint32_t)first_difference(out, ints, n) + (uint16_t)shorts[round % n];
        prefix_sums(out, n);
        ints[round % N] = (int32_t)(hash & 0xfff);
        others[(round * 7) % N] ^= out[n - 1] & 0xff;
    }
    printf("vector_ops %016llx %.3f\n", (unsigned long long)hash, total);
    return 0;
}
