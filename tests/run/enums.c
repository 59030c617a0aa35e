#include <stdio.h>

enum a { ZERO, ONE, FIVE = 5, SIX, NEG = -3, AFTER };
enum { ANON = 'x', EXPR = ANON * 2 + sizeof(int) };
enum e { BIG = 0xffffffffu };
typedef enum { T1, T2, } trailing;
enum later;
enum later { LATE = 9 };

static enum a next(enum a v) {
  switch (v) {
  case ZERO: return ONE;
  case ONE: return FIVE;
  case NEG: return AFTER;
  default: return (enum a)(v + 1);
  }
}

int main(void) {
  printf("%d %d %d %d\n", ZERO, SIX, NEG, AFTER);
  printf("%d %d %u %d\n", ANON, EXPR, BIG, T2);
  enum a v = ZERO;
  for (int i = 0; i < 5; i++) {
    printf("%d ", v);
    v = next(v);
  }
  printf("%d %zu %zu\n", next(NEG), sizeof(enum a), sizeof(enum e));
  int arr[SIX] = { [FIVE] = 3 };
  printf("%d %d\n", arr[FIVE], LATE);
  enum local { L = 3 } l = L;
  {
    enum { L = 7 };
    printf("%d ", L);
  }
  printf("%d %d\n", l, (int)(enum a)100);
  return 0;
}
