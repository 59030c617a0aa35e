/* Sums and differences whose carry is compared for, added, chosen by or branched on. */
#include <stdint.h>
#include <stdio.h>

typedef uint64_t u64;
typedef uint32_t u32;
#define NOINLINE __attribute__((noinline))

static const u64 values[] = {0, 1, 2, 7, 8, 99, 100, 127, 128, 255, 256, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
                             0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xfffffffffffffffe, 0xffffffffffffffff};
#define COUNT (int)(sizeof values / sizeof *values)

NOINLINE u64 increment_if_below(u64 n, u32 a, u32 b) { if (a < b) n++; return n; }
NOINLINE u64 decrement_if_above(u64 n, u64 a, u64 b) { if (a > b) n--; return n; }
NOINLINE u32 add_not_below(u32 n, u64 a, u64 b) { return n + (a >= b); }
NOINLINE u32 subtract_at_most(u32 n, u32 a) { return n - (a <= 7); }
NOINLINE u32 subtract_above(u32 n, u64 a) { return n - (a > 0x7ffffffe); }
NOINLINE u64 add_byte_below(u64 n, uint8_t a) { return n + (a < 100); }
NOINLINE u64 add_short_above(u64 n, short a) { return n + (a > 127); }
NOINLINE u64 add_byte_above(u64 n, const unsigned char *p) { if (*p > 200) n--; return n; }
NOINLINE u64 add_short_below(u64 n, uint16_t a, int b) { return n + (a < (b & 0xfffff)); }
NOINLINE u32 add_word_below(u32 n, u32 a) { return n + (a < 0xfffffffe) + (a <= 0xffff0000); }
NOINLINE u32 add_large_above(u32 n, u64 a) { return n - (a > 0xfffffffe); }
NOINLINE u64 add_if_zero(u64 n, const char *p) { return n + (*p == 0); }
NOINLINE u64 add_unless_zero(u64 n, u64 a) { return n + (a != 0); }
NOINLINE int order(u64 a, u64 b) { return (a > b) - (a < b); }
NOINLINE u64 all_ones_below(u32 a, u32 b) { return a < b ? -1 : 0; }
NOINLINE int all_ones_unless(int a) { return a ? 0 : -1; }
NOINLINE int all_ones_if(int a) { return a ? -1 : 0; }
NOINLINE u64 saturated(u64 a, u64 b) { u64 s = a + b; return s < a ? -1 : s; }
NOINLINE u32 saturated_difference(u32 a, u32 b) { u32 d = a - b; return d > a ? 0 : d; }
NOINLINE u32 end_around(u32 a, u32 b) { u32 s = a + b; return s + (s < b); }
NOINLINE u64 add_three(u64 *sum, u64 a, u64 b, u64 c) {
    u64 s = a + b, carries = s < a;
    s += c;
    carries += s < c;
    *sum = s;
    return carries;
}
NOINLINE int branch(u64 a, u64 b, u64 *sum) {
    u64 s = a + b;
    if (s < a)
        return 1;
    *sum = s;
    return 0;
}
/* The sum is wanted before the comparison, too. */
NOINLINE u64 wanted_before(u64 a, u64 b, u64 *p) {
    u64 s = a + b;
    *p = s;
    u64 t = *p * 3;
    return t + (s < a);
}
/* Two comparisons of one sum. */
NOINLINE u64 both_ways(u64 a, u64 b, u64 n) {
    u64 s = a + b;
    u64 over = s < a, other = s < b;
    return over ? n + other : s ^ n;
}
NOINLINE u64 twice(u64 a, u64 b, u64 n, u64 m) {
    u64 s = a + b;
    return (s < a ? n : m) + (s < a ? m * 3 : n * 5) + s;
}
NOINLINE u64 add_numbers(u64 *r, const u64 *a, const u64 *b, int n) {
    u64 carry = 0;
    for (int i = 0; i < n; i++) {
        u64 s = a[i] + b[i], first = s < a[i], t = s + carry, second = t < s;
        carry = first | second;
        r[i] = t;
    }
    return carry;
}
NOINLINE u64 subtract_numbers(u64 *r, const u64 *a, const u64 *b, int n) {
    u64 borrow = 0;
    for (int i = 0; i < n; i++) {
        u64 d = a[i] - b[i], first = d > a[i], t = d - borrow, second = t > d;
        borrow = first | second;
        r[i] = t;
    }
    return borrow;
}
/* The sum stays in its register from iteration to iteration. */
NOINLINE u32 checksum(const u32 *a, int n) {
    u32 s = 0;
    for (int i = 0; i < n; i++) {
        u32 x = a[i];
        s += x;
        if (s < x)
            s++;
    }
    return s;
}
NOINLINE u64 wide_sum(const u64 *a, int n, u64 *high) {
    u64 s = 0, c = 0;
    for (int i = 0; i < n; i++) {
        s += a[i];
        c += s < a[i];
    }
    *high = c;
    return s;
}
/* What is added changes in the loop before the comparison. */
NOINLINE u64 changing_term(u64 s, u64 x, int n) {
    u64 c = 0;
    for (int i = 0; i < n; i++) {
        u64 old = s;
        s += x;
        x = x * 5 + 1;
        c = c * 2 + (s < old);
    }
    return s ^ c;
}
NOINLINE void add_halves(u64 *r, u64 a, u64 b, u64 c, u64 d) {
    u64 low = a + c, high = b + d + (low < a);
    r[0] = low;
    r[1] = high;
}
NOINLINE void subtract_halves(u64 *r, u64 a, u64 b, u64 c, u64 d) {
    u64 low = a - c, high = b - d - (low > a);
    r[0] = low;
    r[1] = high;
}
NOINLINE void add_product(u64 *r, u64 x, u64 y) {
    unsigned __int128 p = (unsigned __int128)x * y;
    u64 low = (u64)p, high = (u64)(p >> 64);
    r[0] += low;
    high += r[0] < low;
    r[1] += high;
    r[2] += r[1] < high;
}

static u64 hash;
static void note(u64 x) { hash = (hash ^ x) * 0x9e3779b97f4a7c15 + (hash >> 29); }

int main(void) {
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            u64 a = values[i], b = values[j], r[3] = {a, b, a ^ b}, sum = 5;
            char byte = (char)a;
            note(increment_if_below(b, (u32)a, (u32)b));
            note(decrement_if_above(a, a, b));
            note(add_not_below((u32)a, a, b));
            note(subtract_at_most((u32)b, (u32)a));
            note(subtract_above((u32)b, a));
            note(add_byte_below(b, (uint8_t)a));
            note(add_short_above(b, (short)a));
            note(add_if_zero(b, &byte));
            note(add_byte_above(b, (unsigned char *)&byte) ^ add_short_below(a, (uint16_t)a, (int)b));
            note(add_word_below((u32)b, (u32)a) ^ add_large_above((u32)b, a));
            note(add_unless_zero(b, a));
            note((u64)order(a, b));
            note(all_ones_below((u32)a, (u32)b));
            note((u64)(all_ones_unless((int)a) + 2 * all_ones_if((int)b)));
            note(saturated(a, b));
            note(saturated_difference((u32)a, (u32)b));
            note(end_around((u32)a, (u32)b));
            note(add_three(&sum, a, b, a - b) + 3 * sum);
            note((u64)branch(a, b, &sum) + sum);
            note(wanted_before(a, b, &sum) + sum);
            note(both_ways(a, b, a * 3));
            note(twice(a, b, 11, 13));
            note(changing_term(a, b, 9));
            add_halves(r, a, b, b, a);
            note(r[0] ^ 3 * r[1]);
            subtract_halves(r, a, b, b, a);
            note(r[0] ^ 3 * r[1]);
            add_product(r, a, b);
            add_product(r, b, r[0]);
            note(r[0] ^ 3 * r[1] ^ 5 * r[2]);
        }
    u64 out[COUNT], high = 0;
    u32 small[COUNT];
    for (int i = 0; i < COUNT; i++)
        small[i] = (u32)(values[i] * 0x9e3779b97f4a7c15 >> 13);
    u64 shifted[COUNT];
    for (int i = 0; i < COUNT; i++)
        shifted[i] = values[(i + 3) % COUNT];
    printf("%d", (int)add_numbers(out, values, shifted, COUNT));
    for (int i = 0; i < COUNT; i++)
        note(out[i]);
    printf(" %d", (int)subtract_numbers(out, values, shifted, COUNT));
    for (int i = 0; i < COUNT; i++)
        note(out[i]);
    printf(" %08x %016llx", (unsigned)checksum(small, COUNT), (unsigned long long)wide_sum(values, COUNT, &high));
    printf(" %d %016llx\n", (int)high, (unsigned long long)hash);
    return 0;
}
