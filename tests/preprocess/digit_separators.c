// flags: -P -std=c2x
#define m(x) x
1'000'000 0x'1 m(1'0) u8'a' 1'
