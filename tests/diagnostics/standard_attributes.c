// flags: -std=c2x -pedantic-errors
[[deprecated]];
int [[deprecated]] a;
int b[2] [[maybe_unused]];
void c(void) [[nodiscard]];
int d = sizeof(int [[maybe_unused]]);
[[nodiscard]] int e;
[[deprecated()]] int f;
[[nodiscard(1)]] int g(void);
[[maybe_unused("x")]] int h;
[[fallthrough]];
int i(int x) {
  [[deprecated]] x = 1;
  [[nodiscard]];
  switch (x) {
  case 1: x++; [[fallthrough]];
  case 2: [[fallthrough, deprecated]];
  default: return x;
  }
}
[[maybe_unused, deprecated("old"), nodiscard]] static int j(void);
