#include <stdio.h>
#include <complex.h>

int main(void) {
  int total = 0;
  for (int y = 0; y < 20; y++) {
    char line[61];
    for (int x = 0; x < 60; x++) {
      double cr = x / 20.0 - 2.25, ci = y / 8.0 - 1.25, zr = 0, zi = 0;
      int n = 0;
      while (n < 60 && zr * zr + zi * zi < 4) {
        double t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        n++;
      }
      total += n;
      line[x] = " .:-=+*#%@"[n / 6 > 9 ? 9 : n / 6];
    }
    line[60] = 0;
    puts(line);
  }
  printf("%d\n", total);
  return 0;
}
