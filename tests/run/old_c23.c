// flags: -std=gnu2x
#include <stdio.h>

[[nodiscard]] static int unnamed(int, int b) { return b; }
[[maybe_unused]] static int unused_thing;
_Static_assert(sizeof(int) == 4);

#define F(a, ...) g(a __VA_OPT__(, ) __VA_ARGS__)
static int g(int a, ...) { return a; }

#ifdef NOTHING
#elifndef OTHER
#define CHOSEN 5
#endif

int main(void) {
  int x = 1'000'000 + 0b1010'1010;
  switch (x & 1) {
  case 0:
    [[fallthrough]];
  case 1:
  label:
  }
  printf("%d %d %d %d\n", x, unnamed(1, 2), F(3), F(4, 5));
  printf("%d %d\n", CHOSEN, (int)u8'a');
  goto end;
end:
}
