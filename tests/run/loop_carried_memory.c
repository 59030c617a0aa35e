/* Loops whose rounds read what other rounds loaded or stored: windows, recurrences, overlapping and aliased accesses. */
#include <stdio.h>
#include <string.h>

#define N 40

__attribute__((noinline)) static void window(double *restrict to, const double *from, int n) {
    for (int i = 2; i < n - 2; i++)
        to[i] = from[i - 2] + 2 * from[i - 1] + 3 * from[i] + 5 * from[i + 1] + 7 * from[i + 2];
}

__attribute__((noinline)) static void prefix(int *a, int n) {
    for (int i = 1; i < n; i++)
        a[i] += a[i - 1];
}

__attribute__((noinline)) static void fibonacci(unsigned *a, int n) {
    for (int i = 2; i < n; i++)
        a[i] = a[i - 1] + a[i - 2];
}

__attribute__((noinline)) static void suffix(short *a, int n) {
    for (int i = n - 2; i >= 0; i--)
        a[i] = (short)(a[i] * 3 + a[i + 1]);
}

__attribute__((noinline)) static void relax(double (*a)[N], int n) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            a[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

/* `b` may be `a`, or `a` moved. */
__attribute__((noinline)) static void aliased(int *a, int *b, int n) {
    for (int i = 1; i < n; i++)
        b[i] = a[i] - a[i - 1];
}

/* The store comes between this round's load and the next round's. */
__attribute__((noinline)) static unsigned shifted(int *a, int *b, int n) {
    unsigned sum = 0;
    for (int i = 1; i < n; i++) {
        int before = a[i - 1];
        b[i] = before % 1000 * 3;
        sum = sum * 5 + (unsigned)before + (unsigned)a[i];
    }
    return sum;
}

/* Unaligned stores that overlap from round to round. */
__attribute__((noinline)) static unsigned overlapping(unsigned char *p, int n) {
    unsigned sum = 0;
    for (int i = 1; i < n; i++) {
        unsigned value = (unsigned)i * 0x01030507u, before;
        memcpy(p + i, &value, 4);
        memcpy(&before, p + i - 1, 4);
        sum = sum * 31 + before;
    }
    return sum;
}

/* Half of what the next round reads is overwritten. */
__attribute__((noinline)) static unsigned long halves(int *a, int n) {
    unsigned long sum = 0;
    for (int i = 1; i < n; i++) {
        sum = sum * 3 + (unsigned)a[i - 1] + (unsigned)a[i];
        memset((char *)&a[i] + 2, i, 1);
    }
    return sum;
}

/* Conditional stores, early exits, two stores a round. */
__attribute__((noinline)) static unsigned irregular(unsigned *a, int n, unsigned stop) {
    unsigned sum = 0;
    for (int i = 1; i < n; i++) {
        unsigned before = a[i - 1];
        if (before == stop)
            return sum;
        a[i] += before;
        if (a[i] & 1)
            a[i] = sum;
        sum += a[i - 1] ^ (unsigned)i;
    }
    return sum;
}

/* One round only: nothing behind the ends may be touched. */
__attribute__((noinline)) static unsigned counted(const int *a, int from, int to) {
    unsigned sum = 0;
    do
        sum += (unsigned)a[from] * (unsigned)a[from - 1];
    while (++from < to);
    return sum;
}

typedef struct {
    int key;
    float weight;
} Item;

__attribute__((noinline)) static void smooth(Item *items, int n) {
    for (int i = 1; i + 1 < n; i++) {
        items[i].weight = items[i - 1].weight * 0.5f + items[i].weight + items[i + 1].weight * 0.25f;
        items[i].key = items[i - 1].key + items[i + 1].key;
    }
}

__attribute__((noinline)) static void walk(char *s) {
    for (char *p = s + 1; *p; p++)
        *p = (char)('a' + (*p + p[-1]) % 26);
}

int main(void) {
    double from[N], to[N] = {0}, grid[N][N];
    int a[N], b[N];
    unsigned u[N] = {1, 1};
    short s[N];
    Item items[N];
    for (int i = 0; i < N; i++) {
        from[i] = i * i % 17;
        a[i] = i * 7 % 13;
        s[i] = (short)i;
        items[i] = (Item){i, (float)(i % 5)};
        for (int j = 0; j < N; j++)
            grid[i][j] = (i * 5 + j * 3) % 11;
    }
    window(to, from, N);
    double total = 0;
    for (int i = 0; i < N; i++)
        total = total * 0.5 + to[i];
    printf("window %.6f\n", total);
    prefix(a, N);
    fibonacci(u, N);
    suffix(s, N);
    printf("%d %u %d %d\n", a[N - 1], u[N - 1], s[0], s[N / 2]);
    for (int round = 0; round < 3; round++)
        relax(grid, N);
    printf("relax %.6f %.6f\n", grid[3][4], grid[N - 2][N - 3]);
    memcpy(b, a, sizeof b);
    aliased(a, b, N);
    printf("%d", b[9]);
    aliased(b, b, N);
    printf(" %d", b[10]);
    aliased(b, b + 1, N - 1);
    printf(" %d", b[11]);
    aliased(b + 1, b, N - 1);
    printf(" %d\n", b[12]);
    printf("%u", shifted(a, b, N));
    printf(" %u", shifted(b, b, N));
    printf(" %u", shifted(b, b + 1, N - 1));
    printf(" %u\n", shifted(b + 1, b, N - 1));
    unsigned char bytes[N + 8] = {0};
    printf("%u", overlapping(bytes, N));
    printf(" %lu", halves(a, N));
    printf(" %u\n", irregular(u, N, 77));
    printf("%u %u\n", counted(a, 1, 0), counted(a, 3, 20));
    smooth(items, N);
    printf("%d %.5f\n", items[N - 2].key, items[N - 2].weight);
    char text[] = "what one round stores the next one reads";
    walk(text);
    printf("%s\n", text);
    return 0;
}
