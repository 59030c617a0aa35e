// flags: -funsigned-char -fshort-enums -fshort-wchar
#include <stdio.h>
#include <limits.h>

enum tiny { A, B };
enum word { C = 300 };
struct bits { int f : 3; };

int main(void) {
  char c = 200;
  struct bits b = { 7 };
  printf("%d %d %d %zu %zu %d %zu\n", c, CHAR_MIN, CHAR_MAX, sizeof(enum tiny), sizeof(enum word), b.f, sizeof(L'a'));
  printf("%d\n", c > 100);
  return 0;
}
