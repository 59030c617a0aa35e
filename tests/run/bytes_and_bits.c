// Variables of one byte that wrap, choices by single bits, addresses that move along, and tests
// after rotated loops.
#include <stdio.h>

static unsigned char table[256];
static unsigned short records[512];
static unsigned char sizes[16];
static long triangle[8][8];

__attribute__((noinline)) static int runs(unsigned char length) {
    unsigned char i;
    int sum = 0;
    for (i = 0; i <= length; i++)
        if (table[i] >= 5)
            sum += table[i] - 2;
    for (i = 3; i < length - 1; i += 2)
        if (table[i - 2] == table[i + 2] && table[i + 2] == table[i - 1])
            sum += 40;
    return sum;
}

__attribute__((noinline)) static int balance(const unsigned char *bits, unsigned char size) {
    int sum = 0, last = 0;
    for (unsigned char x = 0; x < size; x++) {
        int bit = (bits[x >> 3] >> (7 - (x & 7))) & 1;
        if (bit != last)
            last = bit;
        sum += last ? 1 : -1;
    }
    return sum;
}

static char is_masked(const unsigned char *mask, unsigned char x, unsigned char y) {
    if (x > y) {
        unsigned char t = x;
        x = y;
        y = t;
    }
    int bt = ((y * y + y) >> 1) + x;
    return (mask[(bt >> 3) & 255] >> (7 - (bt & 7))) & 1;
}

__attribute__((noinline)) static int masked(const unsigned char *mask, unsigned char size) {
    int count = 0;
    for (unsigned char y = 0; y < size; y++)
        for (unsigned char x = 0; x < size; x++)
            if (!((x + y) & 1) && !is_masked(mask, x, y))
                count += x ^ y;
    return count;
}

__attribute__((noinline)) static unsigned long walk(int count) {
    unsigned long sum = 0;
    unsigned long at = 0;
    for (int i = 0; i < count; i++) {
        const unsigned short *record = &records[at];
        unsigned char size = sizes[i & 15], node = 0;
        do {
            sum = sum * 3 + record[node];
            node = record[node] % 3 + node + 1;
        } while (node < size);
        at += size;
    }
    return sum;
}

__attribute__((noinline)) static long fill(int n) {
    long total = 0;
    for (int i = 0; i < n; i++) {
        long sum = 0;
        for (int j = 0; j < n; j++) {
            triangle[i][j] = i + j + 2;
            if (i == j)
                triangle[i][j] *= 2;
            sum += triangle[i][j];
        }
        for (int k = 0; k <= i; k++)
            sum -= triangle[i][k] * triangle[k][i];
        total = total * 7 + sum;
    }
    return total;
}

__attribute__((noinline)) static int partition(int *a, int low, int high) {
    int pivot = a[low], i = low + 1, j = high;
    for (;;) {
        while (i <= j && a[i] <= pivot)
            i++;
        while (i <= j && a[j] >= pivot)
            j--;
        if (i > j)
            break;
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
    a[low] = a[j];
    a[j] = pivot;
    return j;
}

__attribute__((noinline)) static unsigned char packed(const unsigned char *from, int n, unsigned char *to) {
    signed char code = 0;
    int filled = -1;
    long mask = 1;
    for (int i = 0; i < n; i++) {
        if (filled == 7) {
            *to++ = code;
            filled = 0;
            code = 0;
        } else {
            filled++;
            code <<= 1;
        }
        if (from[i] & mask)
            code |= 1;
        mask = mask > 1 ? mask >> 1 : 0x80;
    }
    return code;
}

int main(void) {
    unsigned seed = 12345;
    for (int i = 0; i < 256; i++)
        table[i] = (seed = seed * 1103515245 + 12345) >> 28;
    for (int i = 0; i < 512; i++)
        records[i] = (seed = seed * 1103515245 + 12345) >> 20;
    for (int i = 0; i < 16; i++)
        sizes[i] = 1 + i % 5;
    for (int i = 0; i < 255; i += 23)
        printf("%d %d %d\n", runs(i), balance(table, i), masked(table, i));
    printf("%lu %lu %lu\n", walk(0), walk(7), walk(100));
    printf("%ld %ld\n", fill(3), fill(8));
    int a[64];
    for (int i = 0; i < 64; i++)
        a[i] = (seed = seed * 1103515245 + 12345) >> 25;
    printf("%d", partition(a, 0, 63));
    for (int i = 0; i < 64; i++)
        printf(" %d", a[i]);
    unsigned char out[64];
    printf("\n%d", packed(table, 200, out));
    for (int i = 0; i < 24; i++)
        printf(" %d", out[i]);
    printf("\n");
    return 0;
}
