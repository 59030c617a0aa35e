// Static variables whose address goes nowhere are apart from what pointers reach; those whose
// address goes anywhere are not.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__((noinline, noclone))

static unsigned kept = 42;
static int table[8];
static int stored, passed, merged, returned, converted, in_data, copied[4], compared, other;
static int *volatile where;
static int *const data[] = {&other, &in_data};
static int renamed;
extern int second_name __attribute__((alias("renamed")));
static struct { int a, b; } pair, *to_pair = &pair;

NOINLINE static unsigned steps(char *to, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        kept = kept * 1664525u + 1013904223u;
        to[i & 7] = kept >> 24;
    }
    return kept;
}
NOINLINE static int sums(int *p, int n) {
    for (int i = 0; i < n; i++) {
        table[3] += i;
        p[i & 3] = table[3];
    }
    return table[3];
}
NOINLINE static int twice(int *named, int *p) {
    int before = *named;
    *p = before + 1;
    return before + *named;
}
#define AGAIN(name) \
    NOINLINE static int name##_again(int *p) { \
        int before = name; \
        *p = before + 1; \
        for (int i = 0; i < 3; i++) \
            name++, *p += 2; \
        return before * 100 + name; \
    }
AGAIN(stored) AGAIN(passed) AGAIN(merged) AGAIN(returned) AGAIN(converted) AGAIN(in_data) AGAIN(renamed)
NOINLINE static int copied_again(int *p) {
    copied[1] = 5;
    *p = 6;
    return copied[1];
}
NOINLINE static int pair_again(int *p) {
    pair.b = 5;
    *p = 6;
    return pair.b;
}
NOINLINE static int *address(void) { return &returned; }
NOINLINE static int *either(int which) { return which ? &merged : &other; }
NOINLINE static int compares(int *p) { return p == &compared; }

int main(void) {
    char bytes[8];
    int ints[4];
    printf("%u", steps(bytes, 20));
    printf(" %d %d\n", bytes[3], sums(ints, 9));
    where = &stored;
    printf("%d\n", stored_again(where));
    printf("%d %d\n", twice(&passed, &passed), passed_again(&passed));
    printf("%d %d\n", merged_again(either(1)), returned_again(address()));
    uintptr_t number = (uintptr_t)&converted;
    printf("%d %d\n", converted_again((int *)(number ^ bytes[0] ^ bytes[0])), in_data_again(data[ints[0] >= 0]));
    printf("%d\n", renamed_again(&second_name));
    int *p = copied, *q;
    memcpy(&q, &p, sizeof q);
    printf("%d %d\n", copied_again(q + 1), pair_again(&to_pair->b));
    printf("%d %d\n", compares(&other), compared + other);
}
