#include <stdio.h>
#include <string.h>

enum { W = 20, H = 12 };

static void step(unsigned char (*g)[W], unsigned char (*n)[W]) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      int c = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          if (dx || dy)
            c += g[(y + dy + H) % H][(x + dx + W) % W];
      n[y][x] = c == 3 || (c == 2 && g[y][x]);
    }
}

int main(void) {
  static unsigned char a[H][W], b[H][W];
  const char *glider[] = { " # ", "  #", "###" };
  for (int y = 0; y < 3; y++)
    for (int x = 0; x < 3; x++)
      a[y + 1][x + 1] = glider[y][x] == '#';
  for (int i = 0; i < 41; i++) {
    step(a, b);
    memcpy(a, b, sizeof a);
  }
  for (int y = 0; y < H; y++) {
    for (int x = 0; x < W; x++)
      putchar(a[y][x] ? '#' : '.');
    putchar('\n');
  }
  return 0;
}
