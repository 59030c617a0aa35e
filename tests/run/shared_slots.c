// flags: -fwrapv
/* Variables of scopes and inlined calls that never live together may share memory; those that do must not. */
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static void set(char *p, int n, int c) { memset(p, c, n); }
__attribute__((noinline)) static int sum(const char *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s = s * 3 + p[i];
  return s;
}

static inline int scratch(int n) {
  char buffer[100];
  set(buffer, 100, n);
  return sum(buffer, 100);
}

/* Two scopes side by side, one inside another, a pointer that outlives an inner scope's neighbour. */
__attribute__((noinline)) static int scopes(int n) {
  int total = 0;
  char *kept;
  {
    char a[64];
    set(a, 64, n);
    total += sum(a, 64);
  }
  {
    char b[48];
    kept = b;
    set(b, 48, n + 1);
    {
      char c[64];
      set(c, 64, n + 2);
      total += sum(c, 64);
    }
    total += sum(kept, 48);
  }
  return total;
}

/* A variable that a jump backwards finds alive. */
__attribute__((noinline)) static int backwards(int n) {
  int rounds = 0, total = 0;
  char *p = 0;
again:;
  {
    char other[40];
    set(other, 40, rounds);
    total += sum(other, 40);
  }
  char mine[40];
  if (p) total += sum(p, 40);
  set(mine, 40, n + rounds);
  p = mine;
  {
    char third[32];
    set(third, 32, 9);
    total += sum(third, 32) + sum(p, 40);
  }
  if (++rounds < 3) goto again;
  return total;
}

/* Different ways, joined by a pointer that each of them leaves behind in its own scope. */
__attribute__((noinline)) static int ways(int n) {
  int total = 0;
  for (int i = 0; i < n; i++) {
    if (i & 1) {
      long a[6];
      set((char *)a, sizeof a, i);
      total += sum((char *)a, sizeof a);
    } else {
      short b[20];
      long c[5];
      set((char *)b, sizeof b, i);
      set((char *)c, sizeof c, i + 1);
      total += sum((char *)b, sizeof b) - sum((char *)c, sizeof c);
    }
  }
  return total;
}

/* A jump into a scope. */
__attribute__((noinline)) static int sideways(int n) {
  int total = 0;
  if (n > 2) goto inside;
  {
    char a[50];
    set(a, 50, n);
    total = sum(a, 50);
  }
  {
    char b[50];
    set(b, 50, 1);
  inside:
    set(b + 10, 40, n);
    total += sum(b + 10, 40);
  }
  return total;
}

/* Large arrays of four scopes. */
__attribute__((noinline)) static int deep(int n) {
  int total = 0;
  if (n == 0) return 1;
  { char a[3000]; set(a, 3000, n); total += sum(a + 2990, 10); }
  { char a[3000]; set(a, 3000, n + 1); total += sum(a + 2990, 10); }
  { char a[3000]; set(a, 3000, n + 2); total += sum(a + 2990, 10); }
  { char a[3000]; set(a, 3000, n + 3); total += sum(a + 2990, 10); }
  return total + deep(n - 1) * 7;
}

int main(void) {
  printf("%d %d %d %d\n", scratch(1) + scratch(2) * scratch(3), scopes(4), backwards(5), ways(6));
  printf("%d %d %d\n", sideways(1), sideways(7), deep(20));
  return 0;
}
