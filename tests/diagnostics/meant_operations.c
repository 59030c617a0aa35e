// flags: -Wall -Wextra
long one(void) { return (1 << 31) | (2 << 30) | (3L << 62); }
long loud(void) { return (5 << 30) | (7L << 62) | (-1 << 31) | (1 << 31 << 1); }
#if 0
#pragma GCC diagnostic ignored "-Wanalyzer-use-after-free"
#endif
#pragma GCC diagnostic ignored "-Wanalyzer-null-argument"
int truth(int a, int b) { return (!a == (a < b)) + (!a == (b && a)) + (!a == b); }
int bits(unsigned x) { return (x & -1879048192) != -1879048192; }
int more_bits(unsigned x, unsigned char c) { return ((x & 4) == -4) + ((c | 2) == 1); }
void used(int x) { int a, b; (void)(a = x); b = x; }
struct s { int m; } a, b;
void *memcpy(void *, const void *, unsigned long);
void copies(struct s *p, struct s *q, struct s **pp) {
  memcpy(p, q, sizeof(pp));
  memcpy(p, &a, sizeof(q));
  memcpy((char *)p, &a, sizeof(q));
  memcpy(pp, &q, sizeof(q));
  memcpy(p, q, sizeof(struct s *));
}
