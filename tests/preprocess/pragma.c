// flags: -P
#pragma pack(push, 1)
#define PACK pack(2)
#pragma PACK
_Pragma("pack(pop)") x
#define P(x) _Pragma(#x) after
P(GCC visibility push(hidden))
#define N weakname
#pragma redefine_extname N other
#pragma weak N
#pragma STDC FP_CONTRACT ON
#pragma unknown N
