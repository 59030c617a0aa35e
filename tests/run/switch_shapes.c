#include <stdio.h>

static int dense(int x) {
  switch (x) {
  case 0: return 5;
  case 1: return 3;
  case 2: return 8;
  case 3: return 1;
  case 4: return 9;
  case 5: return 2;
  case 6: return 7;
  default: return -1;
  }
}

static int sparse(long x) {
  switch (x) {
  case -5000000000: return 1;
  case -7: return 2;
  case 0: return 3;
  case 1000: return 4;
  case 1000000: return 5;
  case 0x7fffffffffffffff: return 6;
  }
  return 0;
}

static const char *ranges(unsigned char c) {
  switch (c) {
  case 'a' ... 'z': return "lower";
  case 'A' ... 'Z': return "upper";
  case '0' ... '9': return "digit";
  case 200 ... 255: return "high";
  case ' ': case '\t': return "blank";
  default: return "other";
  }
}

static int fall(int x) {
  int r = 0;
  switch (x) {
  case 3: r += 3;
  case 2: r += 2; /* fall through */
  case 1: r += 1; break;
  case 10: r = 10;
  default: r += 100;
  case 5: r += 5;
  }
  return r;
}

static int duff(char *to, const char *from, int count) {
  int n = (count + 7) / 8;
  switch (count % 8) {
  case 0: do { *to++ = *from++;
  case 7: *to++ = *from++;
  case 6: *to++ = *from++;
  case 5: *to++ = *from++;
  case 4: *to++ = *from++;
  case 3: *to++ = *from++;
  case 2: *to++ = *from++;
  case 1: *to++ = *from++;
          } while (--n > 0);
  }
  return *from;
}

enum color { RED, GREEN = 5, BLUE };

static int nested(enum color c, int x) {
  switch (c) {
  case RED:
    switch (x) {
    case 1: return 11;
    default: break;
    }
    return 10;
  case GREEN:
    for (int i = 0;; i++) {
      if (i == x)
        break;
      if (i > 5)
        return 50;
    }
    return 51;
  case BLUE:
    while (x-- > 0)
      continue;
  }
  return x;
}

static int masks(unsigned c) {
  switch (c) {
  case 1: case 3: case 5: case 7: case 33: case 62: return 1;
  case 2: case 4: case 40: return 2;
  }
  return 0;
}

static long wide(unsigned long x) {
  switch (x) {
  case 0xffffffffffffffff: return 1;
  case 0x8000000000000000: return 2;
  case 0x100000000: return 3;
  case 0: return 4;
  }
  return 5;
}

static int empty(int x) {
  switch (x) {
  }
  switch (x)
  case 3: return 1;
  switch (x) {
    x = 99;
  default:;
  }
  return x;
}

static int calls;
static int once(void) { return calls++; }

int main(void) {
  for (int i = -2; i < 9; i++)
    printf("%d ", dense(i));
  long s[] = { -5000000000, -7, 0, 1000, 1000000, 0x7fffffffffffffff, 1, -8, 999999 };
  for (int i = 0; i < 9; i++)
    printf("%d ", sparse(s[i]));
  printf("\n");
  for (const char *p = "aZ5 \t~\xc8"; *p; p++)
    printf("%s ", ranges(*p));
  printf("\n");
  for (int i = 0; i < 12; i++)
    printf("%d ", fall(i));
  char buf[32] = { 0 };
  duff(buf, "the quick brown fox", 19);
  printf("%s\n", buf);
  printf("%d %d %d %d %d\n", nested(RED, 1), nested(RED, 2), nested(GREEN, 3), nested(GREEN, 9), nested(BLUE, 4));
  for (unsigned i = 0; i < 66; i++)
    printf("%d", masks(i));
  printf("\n%ld %ld %ld %ld %ld\n", wide(-1ul), wide(1ul << 63), wide(1ul << 32), wide(0), wide(7));
  printf("%d %d\n", empty(3), empty(4));
  switch (once()) {
  case 0: printf("%d\n", calls);
  }
  switch ((char)200) {
  case -56: printf("signed\n"); break;
  case 200 - 256 + 1: printf("no\n");
  }
  return 0;
}
