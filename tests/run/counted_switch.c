// Loops whose counter decides a switch or branches in them, of few rounds: every round runs what its number says.
#include <stdint.h>
#include <stdio.h>

typedef uint64_t U;

static U step(U b, int d) {
    switch (d) {
    case 0: return b << 1 & 0xfefefefefefefefeULL;
    case 1: return b >> 1 & 0x7f7f7f7f7f7f7f7fULL;
    case 2: return b << 8;
    case 3: return b >> 8;
    case 4: return b << 9 & 0xfefefefefefefefeULL;
    case 5: return b >> 9 & 0x7f7f7f7f7f7f7f7fULL;
    case 6: return b << 7 & 0x7f7f7f7f7f7f7f7fULL;
    default: return b >> 7 & 0xfefefefefefefefeULL;
    }
}

static U reach(U from, U through, U to) {
    U all = 0;
    for (int d = 0; d < 8; d++) {
        U x = step(from, d) & through;
        for (int i = 0; i < 5; i++) x |= step(x, d) & through;
        all |= step(x, d) & to;
    }
    return all;
}

// Leaves early in some rounds; the counter runs down by two, past the cases.
static int early(const int *a, int limit) {
    int sum = 0, k;
    for (k = 9; k >= -3; k -= 2) {
        if (k == 5) {
            if (a[0] > limit) break;
            continue;
        }
        switch (k) {
        case 9: sum += a[1] * 3; break;
        case 7: sum ^= a[2];
        case 3: sum -= a[3]; break;
        case -1: sum = sum * 5 + k; break;
        default: sum += 1000 + k;
        }
        if (sum > limit) return sum * 2 + k;
    }
    return sum + k;
}

// A value that is a constant in each round, though it is no counter.
static unsigned doubling(unsigned x) {
    unsigned bit = 1, r = x;
    for (int i = 0; i < 7; i++, bit = bit * 2 + (i == 3)) {
        if (bit & 8) r = r * 31 + bit;
        else if (i & 1) r ^= r >> (bit & 31);
        else if (bit == 1) r += 17;
        else r = (r << 3 | r >> 29) + x / (bit + 1) + x * bit;
        if (i == 5) r = ~r;
    }
    return r;
}

int main(void) {
    int a[4] = {1, 2, 3, 4};
    printf("%llx %llx\n", (unsigned long long)reach(0x810000000ULL, 0x1008000000ULL, ~0x1818000000ULL),
           (unsigned long long)reach(0x0102040810204080ULL, 0x00fe7e3c183c7e00ULL, 0xff818181818181ffULL));
    for (int i = -2; i < 6; i++) {
        a[0] = i * 50;
        a[1] = i % 2 ? -500 : i;
        a[2] = i + 7;
        printf("%d %d %d\n", early(a, 2), early(a, 100000), early(a, -40));
    }
    for (unsigned i = 0; i < 4; i++) printf("%u\n", doubling(i * 2654435761u));
    return 0;
}
