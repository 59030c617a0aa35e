#include <stdio.h>

#define EMPTY
#define DEFER(x) x EMPTY
#define F(x, ...) G(x, ##__VA_ARGS__)
#define G(x, y) x + y
#define STR(x) STR1(x)
#define STR1(x) #x
#define CAT(a, b) a##b

int main(void) {
  int ab = 5;
  printf("%d %d\n", F(1, 2), CAT(a, b));
  puts(STR(F(1, 2)));
  puts(STR(DEFER(F)(3, 4)));
  puts(STR1(F(1, "\n")));
  return 0;
}
