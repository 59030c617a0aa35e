#include <stdio.h>
#include <stdint.h>
#include <string.h>

enum { LIMBS = 40 };
typedef struct { uint32_t d[LIMBS]; int n; } big;

static void mul_small(big *b, uint32_t m) {
  uint64_t carry = 0;
  for (int i = 0; i < b->n; i++) {
    carry += (uint64_t)b->d[i] * m;
    b->d[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry)
    b->d[b->n++] = (uint32_t)carry;
}

static uint32_t div_small(big *b, uint32_t m) {
  uint64_t rest = 0;
  for (int i = b->n - 1; i >= 0; i--) {
    rest = rest << 32 | b->d[i];
    b->d[i] = (uint32_t)(rest / m);
    rest %= m;
  }
  while (b->n && !b->d[b->n - 1])
    b->n--;
  return (uint32_t)rest;
}

static big multiply(const big *a, const big *b) {
  big r = { { 0 }, a->n + b->n };
  for (int i = 0; i < a->n; i++) {
    uint64_t c = 0;
    for (int j = 0; j < b->n; j++) {
      c += (uint64_t)a->d[i] * b->d[j] + r.d[i + j];
      r.d[i + j] = (uint32_t)c;
      c >>= 32;
    }
    r.d[i + b->n] += (uint32_t)c;
  }
  while (r.n && !r.d[r.n - 1])
    r.n--;
  return r;
}

static void print(big b) {
  char digits[400];
  int n = 0;
  while (b.n)
    n += sprintf(digits + n, "%u", div_small(&b, 10));
  while (n)
    putchar(digits[--n]);
  putchar('\n');
}

int main(void) {
  big f = { { 1 }, 1 };
  for (uint32_t i = 2; i <= 60; i++)
    mul_small(&f, i);
  print(f);
  big sq = multiply(&f, &f);
  print(sq);
  unsigned __int128 p = 1;
  for (int i = 0; i < 26; i++)
    p *= 29;
  printf("%llu %llu\n", (unsigned long long)(p / 10000000000000000000u), (unsigned long long)(p % 10000000000000000000u));
  return 0;
}
