// flags: -w
// What static initialisers may read: const objects and their parts, compound literals, distances of pointers and labels.
#include <stdio.h>

static const char digits[] = "0123456789";
static const char three = digits[3];
struct pair { short a; int b[3]; const char *name; };
static const struct pair table[] = {{1, {2, 3, 4}, "first"}, {5, {6, 7, 8}, digits + 1}, {.b = {[2] = 9}}};
static const struct pair second = table[1];
static const int inner = table[0].b[2] * 100 + table[1].b[0] * 10 + table[2].b[2];
static const char *const names[] = {"north", "south", 0};
static const char *south = names[1], *none = names[2], *other = table[1].name;
static const struct { int low : 3; unsigned mid : 9; long long high : 40; } fields = {-2, 300, -5000000000};
static const long long sum = fields.low + fields.mid + fields.high;
static const float halves[4] = {0.5f, 1.5f, [3] = 3.5f};
static const double product = halves[3];
static const _Complex double z = 3 + 4i;
static const double imaginary = __imag__ z;
struct outer { struct { int i; } t; };
static struct outer literal = {.t = {(int){17}}};
static int from_literal = (int){259};
extern int here;
int here = (&here >= 0) + (0 < &here) * 2 + (&here <= 0) * 4;
static int object;
static int *pointer = &object;
static const long distance = (pointer + 3) - (pointer - 4);
static const unsigned int max = -1, wide[2] = {4000000000u};
static const long long from_unsigned = wide[0] + (long long)max;
static const int *const volatile_pointer = &object;
static const struct pair copies[3] = {[0 ... 1] = table[0], table[1]};

static long labels(void) {
  static long two = ((char *)&&second - (char *)&&third) + ((char *)&&first - (char *)&&second) - ((char *)&&first - (char *)&&third);
  static __int128 eight = (unsigned long)&&second - (unsigned long)&&first;
  static unsigned long same = (unsigned long)&&second - (unsigned long)&&first;
first:
  object++;
second:
  object++;
third:
  return two == 0 && eight == same && (eight >> 64) == 0;
}

static int automatic(void) {
  const int a = 40;
  static int b = a + 2;
  int room[8], *p = room + 2;
  static long back = p - (p - 1), forth = (p - 2) - (p + 1);
  static const int c = 5;
  static int d = c * 2;
  return b * 1000 + back * 100 - forth * 10 + d;
}

int main(void) {
  printf("%c %d %s %d %d %d\n", three, inner, second.name, second.a, second.b[1], second.b[2]);
  printf("%s %d %s\n", south, none == 0, other);
  printf("%lld %g %g\n", sum, product, imaginary);
  printf("%d %d %d %ld %lld\n", literal.t.i, from_literal, here, distance, from_unsigned);
  printf("%ld %d %s %s %d\n", labels(), automatic(), copies[1].name, copies[2].name, copies[0].b[1]);
  return 0;
}
