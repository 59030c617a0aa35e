// `^` of two shifts is a rotation only where not both amounts can be 0: then it is 0.
#include <stdio.h>

typedef unsigned u32;
typedef unsigned long long u64;

#define NOINLINE __attribute__((noinline))

NOINLINE u32 both_masked(u32 x, u32 n) { return (x << (n & 31)) ^ (x >> (-n & 31)); }
NOINLINE u32 both_masked_right(u32 x, u32 n) { return (x >> (n & 31)) ^ (x << (-n & 31)); }
NOINLINE u32 difference_masked(u32 x, u32 n) { return (x << (n & 31)) ^ (x >> ((32 - n) & 31)); }
NOINLINE u32 left_masked(u32 x, u32 n) { return (x << (n & 31)) ^ (x >> (32 - n)); }
NOINLINE u64 wide(u64 x, u64 n) { return (x << (n & 63)) ^ (x >> (-n & 63)); }
NOINLINE u64 wide_right(u64 x, u64 n) { return (x >> (n & 63)) ^ (x << ((64 - n) & 63)); }
NOINLINE u32 joined(u32 x, u32 n) { return (x << (n & 31)) | (x >> (-n & 31)); }
NOINLINE u32 seven(u32 x) { return (x << 7) ^ (x >> 25); }
NOINLINE u32 plain(u32 x, u32 n) { return (x << n) ^ (x >> (32 - n)); }

int main(void)
{
    for (u32 n = 0; n <= 64; n += 8) {
        printf("%u: %x %x %x %llx %llx %x\n", n, both_masked(0x12345678, n), both_masked_right(0x12345678, n),
               difference_masked(0x12345678, n), wide(0x123456789abcdef0, n), wide_right(0x123456789abcdef0, n),
               joined(0x12345678, n));
    }
    for (u32 n = 1; n <= 32; n += 31)
        printf("%x\n", left_masked(0x12345678, n));
    printf("%x %x\n", seven(0x12345678), plain(0x12345678, 12));
    return 0;
}
