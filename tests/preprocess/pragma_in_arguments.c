// flags: -P
#define f(x) [x]
f(a
#pragma pack(1)
b)
f(_Pragma("pack(2)") c)
