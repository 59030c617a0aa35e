// Loops that only count, add and scale are replaced by the values that they end with: counters of
// all widths, sums of invariants and of counters, pointers, nests, for trip counts from 0 on and
// numbers that wrap.
#include <stdint.h>
#include <stdio.h>

#define HIDDEN __attribute__((noinline, noclone)) static

HIDDEN int counted(int n, unsigned x) {
    for (int i = 0; i < n; i++) x += 3;
    return x;
}
HIDDEN unsigned from_to(unsigned a, unsigned b, unsigned x) {
    for (unsigned i = a; i < b; i++) x += b;
    return x;
}
HIDDEN int in_steps(int a, int b, int x) {
    int i;
    for (i = a; i <= b; i += 7) x -= 5;
    return x ^ i;
}
HIDDEN int down(int a, int b) {
    int n = 0, i;
    for (i = a; i > b; i -= 3) n++;
    return n * 1000 + i;
}
HIDDEN uint8_t narrow(uint8_t n, uint8_t x) {
    uint8_t i = 0;
    do x += 11; while (++i != n); // 256 times for 0
    return x;
}
HIDDEN uint64_t wide_of_narrow(uint8_t n, uint64_t x) {
    uint8_t i = 0;
    do x += 11; while (++i != n);
    return x;
}
HIDDEN uint16_t narrow_of_wide(uint64_t n, uint16_t x) {
    for (uint64_t i = 0; i < n; i++) x += 4099;
    return x;
}
HIDDEN int triangle(int n) {
    int x = 0;
    for (int i = 0; i < n; i++) x += i;
    return x;
}
HIDDEN uint64_t progression(uint64_t n, uint64_t first, uint64_t x) {
    for (uint64_t i = 0; i != n; i++) x += first + 6 * i;
    return x;
}
HIDDEN uint64_t taken_away(uint32_t n, uint64_t x) {
    for (uint32_t i = 1; i < n; i++) x -= 0x1000000000000001u * i;
    return x;
}
HIDDEN int two_uses(int n) {
    int x = 1, before = 0;
    for (int i = 0; i < n; i++) {
        before = x;
        x += 4;
    }
    return x * 100 + before;
}
HIDDEN int function_of_last(int n, int k) {
    int last = -1;
    for (int i = 0; i < n; i++) last = (i ^ k) * 3 + (i & 5);
    return last;
}
HIDDEN char *pointer(char *p, int n, long by) {
    for (int i = 0; i < n; i++) p += by;
    return p;
}
HIDDEN int ends_of_pointers(int *p, int *end) {
    int n = 0;
    for (; p < end; p += 2) n += 5;
    return n;
}
HIDDEN int nest(int n, int m, int x) {
    for (int a = 0; a < n; a++)
        for (int b = 0; b < m; b++)
            for (int c = 0; c < n; c++) x++;
    return x;
}
HIDDEN unsigned triangular_nest(unsigned n) {
    unsigned x = 0;
    for (unsigned a = 0; a < n; a++)
        for (unsigned b = 0; b < a; b++) x += b;
    return x;
}
HIDDEN int chained(int n, int m) {
    int i, j, x = 0;
    for (i = 0; i < n; i++) x += 2;
    for (j = i; j < m; j++) x += 3;
    return x * 100 + j;
}
HIDDEN double not_exact(int n) {
    double x = 0;
    for (int i = 0; i < n; i++) x += .1;
    return x;
}
HIDDEN unsigned doubled(unsigned n) {
    unsigned x = 1;
    for (unsigned i = 0; i < n; i++) x += x;
    return x;
}
HIDDEN int previous(int n) {
    int before = 50, x = 7;
    for (int i = 0; i < n; i++) {
        x += before;
        before = i;
    }
    return x;
}

int main(void) {
    static const int trips[] = {-3, 0, 1, 2, 3, 4, 5, 7, 8, 16, 17, 100, 255, 256, 257};
    static char bytes[4];
    static int numbers[64];
    for (unsigned t = 0; t < sizeof trips / sizeof *trips; t++) {
        int n = trips[t];
        printf("%d: %d %u %u %d %d\n", n, counted(n, 5), from_to(n, 20, 1), from_to(3, n & 511, 1), in_steps(-9, n, 1), in_steps(n, 30, 2));
        printf(" %d %d %d %llu %d\n", down(n, -4), down(60, n), narrow(n, 1), (unsigned long long)wide_of_narrow(n, 1),
               narrow_of_wide(n < 0 ? 0 : n, 77));
        printf(" %d %llu %llu %d %d\n", triangle(n), (unsigned long long)progression(n & 1023, ~0ull - 5, 9),
               (unsigned long long)taken_away(n & 1023, 3), two_uses(n), function_of_last(n, 9));
        printf(" %d %d\n", (int)(pointer(bytes, n, 0) - bytes), (int)((long)pointer((char *)1000, n, -3)));
        printf(" %d %d %u %d %d\n", ends_of_pointers(numbers, numbers + (n & 63)), nest(n & 31, 7, 1), triangular_nest(n & 31),
               chained(n, 9), nest(5, n & 63, 0));
        printf(" %.17g %u %d\n", not_exact(n), doubled(n & 63), previous(n));
    }
    return 0;
}
