// interpreter flags: -DMANY=200
#include <stdio.h>

#ifndef MANY
#define MANY 50000
#endif

/* Calls of the function itself at its end: jumps with -O2. */

static int counter;
static int *kept;

__attribute__((noinline)) static void note(int x) { counter = (int)((unsigned)counter * 31 + (unsigned)x); }
__attribute__((noinline)) static void keep(int *p) { kept = p; }

/* Parameters that change places. */
__attribute__((noinline)) unsigned swap(unsigned n, unsigned a, unsigned b, unsigned c) {
  if (n == 0)
    return a * 100 + b * 10 + c;
  return swap(n - 1, c, a, b);
}

__attribute__((noinline)) unsigned gcd(unsigned a, unsigned b) { return b == 0 ? a : gcd(b, a % b); }

/* Accumulators. */
__attribute__((noinline)) unsigned long factorial(unsigned n) { return n < 2 ? 1 : n * factorial(n - 1); }

__attribute__((noinline)) unsigned long fib(unsigned n) {
  if (n < 2)
    return 1;
  return fib(n - 2) + fib(n - 1);
}

__attribute__((noinline)) unsigned mixed(unsigned n) {
  if (n == 0)
    return 7;
  if (n % 3 == 0)
    return 3 * mixed(n - 1) + n;
  if (n % 3 == 1)
    return n - mixed(n - 1);
  return (mixed(n - 1) << 1 | 1) - n;
}

__attribute__((noinline)) signed char narrow(unsigned n) {
  if (n == 0)
    return 3;
  return narrow(n - 1) * 3 + n;
}

__attribute__((noinline)) _Bool member(const int *list, int x) {
  if (*list == 0)
    return 0;
  if (*list == x)
    return 1;
  return member(list + 1, x);
}

/* The order of effects: each call's before those of the next one. */
__attribute__((noinline)) int ordered(int n) {
  note(n);
  if (n <= 0)
    return counter & 7;
  int first = ordered(n - 2);
  note(first);
  int second = ordered(n - 1);
  return first + second;
}

/* What is read behind the call is what the call has left. */
__attribute__((noinline)) int behind(int n) {
  counter = (int)((unsigned)counter + (unsigned)n);
  if (n == 0)
    return 0;
  int rest = behind(n - 1);
  return (int)((unsigned)rest + (unsigned)counter);
}

struct tree {
  struct tree *left, *right;
  int value;
};

__attribute__((noinline)) int total(const struct tree *t) {
  if (t == 0)
    return 0;
  int left = total(t->left);
  int right = total(t->right);
  return left + right + t->value;
}

/* A local that is known elsewhere has a place of its own in each activation. */
__attribute__((noinline)) int escaping(int n, int *before) {
  int x = n;
  int sum = before ? *before : 0;
  keep(&x);
  if (n == 0)
    return sum * 10 + *kept;
  return escaping(n - 1, before ? kept : &x);
}

/* A round's `*p` is another round's `*q`. */
__attribute__((noinline)) int restricted(int *restrict p, int *restrict q, int n) {
  *p += n;
  if (n == 0)
    return *q;
  return restricted(q, p, n - 1);
}

struct pair {
  long a, b;
};
struct triple {
  long a, b, c;
};

__attribute__((noinline)) struct pair turn(int n, struct pair p) {
  if (n == 0)
    return p;
  return turn(n - 1, (struct pair){p.b, p.a + 1});
}

__attribute__((noinline)) struct triple rotate(int n, struct triple t) {
  if (n == 0)
    return t;
  return rotate(n - 1, (struct triple){t.b, t.c, t.a + 1});
}

__attribute__((weak)) int weak(int n, int m) { return n == 0 ? m : weak(n - 1, m + n); }

__attribute__((noinline)) void effects(int n) {
  note(n);
  if (n > 0)
    effects(n - 1);
}

int main(void) {
  printf("%u %u\n", swap(MANY, 1, 2, 3), gcd(1071, 462));
  printf("%lu %lu %u %d\n", factorial(20), fib(20), mixed(1000), narrow(100));
  static const int list[] = {4, 7, 9, 0};
  printf("%d %d\n", member(list, 9), member(list, 5));
  printf("%d %d\n", ordered(8), counter);
  printf("%d %d\n", behind(20), counter);
  struct tree leaf = {0, 0, 5}, inner = {&leaf, 0, 6}, root = {&inner, &leaf, 7};
  printf("%d\n", total(&root));
  printf("%d\n", escaping(5, 0));
  int x = 3, y = 4;
  printf("%d %d %d\n", restricted(&x, &y, 10), x, y);
  struct pair p = turn(11, (struct pair){1, 2});
  struct triple t = rotate(11, (struct triple){1, 2, 3});
  printf("%ld %ld %ld %ld %ld\n", p.a, p.b, t.a, t.b, t.c);
  printf("%d\n", weak(100, 1));
  effects(100);
  printf("%d\n", counter);
  return 0;
}
