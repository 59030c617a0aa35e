// Aggregate parameters passed in memory belong to the callee: what it changes is not seen outside.
#include <stdio.h>

struct big { long a, b, c; int d; char text[12]; };
struct pair { double x, y, z; };

__attribute__((noinline)) static long sum(struct big s, int n) {
  long t = 0;
  s.a += n;
  for (int i = 0; i < n; i++) {
    s.b += s.a;
    s.d ^= i;
    t += s.d;
  }
  return t + s.a + s.b + s.c + s.text[0];
}

__attribute__((noinline)) static long indexed(struct big s, int at) {
  s.text[at] = 'x';
  s.c = at;
  return s.text[1] * 1000 + s.text[2] + s.c;
}

__attribute__((noinline)) static double swapped(struct pair p, struct pair q) {
  struct pair t = p;
  p = q;
  q = t;
  p.x += 1;
  return p.x * 100 + p.y * 10 + p.z - q.x;
}

__attribute__((noinline)) static long recursive(struct big s) {
  if (s.a <= 0)
    return s.b;
  s.b += s.a--;
  return recursive(s);
}

int main(void) {
  struct big s = { 1, 2, 3, 4, "abc" };
  struct pair p = { 1, 2, 3 }, q = { 4, 5, 6 };
  printf("%ld %ld %ld\n", sum(s, 5), indexed(s, 1), indexed(s, 2));
  printf("%g %g\n", swapped(p, q), swapped(q, p));
  printf("%ld\n", recursive(s));
  printf("%ld %ld %ld %d %s %g %g\n", s.a, s.b, s.c, s.d, s.text, p.x, q.x);
  return 0;
}
