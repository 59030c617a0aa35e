// flags: -Wall
// Bit-fields are promoted by their width, not by the type they are declared with.
int printf(const char *, ...);
struct s { unsigned long long a : 3, b : 40; long long c : 3; unsigned long d : 32; unsigned e : 32; long f : 32; } s;
void quiet(void) {
  printf("%d %d %x %d %u %d", s.a, s.c, s.a + 1, s.d, s.e, s.f);
  printf("%*d %.*f", s.a, 1, s.c, 1.0);
}
void loud(void) {
  printf("%llu", s.a);
  printf("%lld", s.c);
  printf("%lu", s.d);
  printf("%d", s.b);
  printf("%lu", s.b);
  printf("%ld", s.f);
}
