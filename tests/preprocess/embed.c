// flags: -P -std=c2x
int a[] = {
#embed "include/data.bin"
};
int b[] = {
#embed "include/data.bin" limit(2) prefix(9, ) suffix(, 0)
};
int c[] = {
#embed "include/empty.bin" if_empty(-1) prefix(x)
};
#define N 1 + 1
int d[] = {
#embed "include/data.bin" __limit__(N) gnu::offset(1)
};
#if __has_embed("include/data.bin") == 1 && __has_embed("nope") == 0 && __has_embed("include/empty.bin") == 2
found
#endif
#if __has_embed("include/data.bin" limit(0)) == 2 && __has_embed("include/data.bin" unknown::thing(1)) == 0
parameters
#endif
