/* Measures: all shortest paths by Floyd and Warshall's triple loop, in ints with path recovery, in doubles, and transitive closure
   in bits: minimum in the inner loop, rows by pointer. */
#include <stdint.h>
#include <stdio.h>

enum { N = 300, FAR = 1 << 28, WORDS = (N + 63) / 64 };

static int32_t cost[N][N];
static int16_t via[N][N];
static double length[N][N];
static uint64_t reach[N][WORDS];

static void shortest_ints(void) {
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++) {
            int32_t first = cost[i][k];
            if (first == FAR)
                continue;
            for (int j = 0; j < N; j++) {
                int32_t through = first + cost[k][j];
                if (through < cost[i][j]) {
                    cost[i][j] = through;
                    via[i][j] = (int16_t)k;
                }
            }
        }
}

static void shortest_doubles(void) {
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double through = length[i][k] + length[k][j];
                length[i][j] = through < length[i][j] ? through : length[i][j];
            }
}

static void close_bits(void) {
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            if (reach[i][k / 64] >> (k % 64) & 1)
                for (int w = 0; w < WORDS; w++)
                    reach[i][w] |= reach[k][w];
}

static int hops(int from, int to) {
    int k = via[from][to];
    return k < 0 ? 1 : hops(from, k) + hops(k, to);
}

int main(void) {
    uint32_t seed = 3;
    uint64_t sum = 0, total_hops = 0;
    double total = 0;
    for (int round = 0; round < 8; round++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                seed = seed * 1664525u + 1013904223u;
                int edge = seed >> 24 < 10 + (unsigned)round;
                cost[i][j] = i == j ? 0 : edge ? (int32_t)(1 + (seed >> 10) % 1000) : FAR;
                length[i][j] = cost[i][j] == FAR ? 1e30 : cost[i][j] * 0.125;
                via[i][j] = -1;
                if (j == 0)
                    for (int w = 0; w < WORDS; w++)
                        reach[i][w] = 0;
                if (edge && seed >> 8 & 1)
                    reach[i][j / 64] |= (uint64_t)1 << (j % 64);
            }
        shortest_ints();
        shortest_doubles();
        close_bits();
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                sum = sum * 31 + (uint64_t)cost[i][j] + (reach[i][j / 64] >> (j % 64) & 1);
                if (cost[i][j] != FAR) {
                    total += length[i][j];
                    total_hops += (uint64_t)hops(i, j);
                }
            }
    }
    printf("floyd_warshall %016llx %.3f %llu\n", (unsigned long long)sum, total, (unsigned long long)total_hops);
    return 0;
}
