// flags: -std=c17 -pedantic-errors
int too_large = 123456789012345678901234567890;
unsigned long long unsigned_now = 9223372036854775808;
#if 9223372036854775808
#endif
char *unknown = "\q";
char out_of_range = '\777';
char *delimited = "\x{41}\o{101}\u{e9}";
char *not_delimited = "\x{}";
