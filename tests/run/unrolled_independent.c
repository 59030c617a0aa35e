// Loops within others with constant numbers of iterations: shortest ways (a place that is loaded lies among those stored),
// independent iterations, iterations that load what others before them stored, at several distances.
#include <stdio.h>
#include <stdint.h>

enum { N = 36 };

static int way[N][N];
static double far[N][N];
static short via[N][N];
static unsigned row[1000];

__attribute__((noinline)) static void shortest(void) {
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                way[i][j] = way[i][j] < way[i][k] + way[k][j] ? way[i][j] : way[i][k] + way[k][j];
}

__attribute__((noinline)) static void with_places(void) {
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double through = far[i][k] + far[k][j];
                if (through < far[i][j]) {
                    far[i][j] = through;
                    via[i][j] = (short)k;
                }
            }
}

#define CARRIED(distance)                                             \
    __attribute__((noinline)) static void carried_##distance(int n) { \
        for (int r = 0; r < n; r++)                                   \
            for (int i = 0; i < 200; i++)                             \
                row[i + distance] = row[i] * 3 + (unsigned)r;         \
    }
CARRIED(1) CARRIED(2) CARRIED(3) CARRIED(4) CARRIED(7) CARRIED(8) CARRIED(9)

__attribute__((noinline)) static void backwards(int n) {
    for (int r = 0; r < n; r++)
        for (int i = 199; i >= 0; i--)
            row[i] = row[i + 1] ^ row[i + 3] * 5;
}

__attribute__((noinline)) static void chosen(int n) {
    for (int r = 0; r < n; r++)
        for (int i = 0; i < 96; i++)
            if (row[i] & 1)
                row[i + 200] = row[i] >> 1;
            else
                row[i + 300] += row[i + 100];
}

static uint64_t sum(void) {
    uint64_t all = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            all = all * 31 + (uint64_t)way[i][j] + (uint64_t)(far[i][j] * 8) + (uint64_t)via[i][j];
    for (int i = 0; i < 1000; i++)
        all = all * 33 + row[i];
    return all;
}

int main(void) {
    unsigned seed = 7;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            seed = seed * 1664525u + 1013904223u;
            way[i][j] = (int)(seed >> 22) + 1;
            far[i][j] = (double)(seed >> 20) / 8 + 1;
        }
    for (int i = 0; i < 1000; i++)
        row[i] = seed = seed * 1664525u + 1013904223u;
    shortest();
    with_places();
    printf("%016llx\n", (unsigned long long)sum());
    carried_1(3), carried_2(3), carried_3(2), carried_4(3), carried_7(2), carried_8(3), carried_9(2);
    printf("%016llx\n", (unsigned long long)sum());
    backwards(3);
    chosen(4);
    printf("%016llx\n", (unsigned long long)sum());
    return 0;
}
