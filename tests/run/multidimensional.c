#include <stdio.h>
#include <string.h>

static int cube[3][4][5];
static const char names[][8] = { "one", "two", "three" };
static int *rows[3];

static int total(int a[][4][5], int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 5; k++)
        s += a[i][j][k] * (i + 1);
  return s;
}

static void set(int (*plane)[5], int v) {
  for (int j = 0; j < 4; j++)
    for (int k = 0; k < 5; k++)
      plane[j][k] = v + j - k;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    set(cube[i], i * 10);
    rows[i] = cube[i][i];
  }
  printf("%d %d %d\n", total(cube, 3), *(*(*(cube + 2) + 3) + 4), rows[2][1]);
  printf("%zu %zu %zu\n", sizeof cube, sizeof cube[0], sizeof *cube[0]);
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    printf("%s%zu ", names[i], strlen(names[i]));
  int local[2][2][2] = { { { 1, 2 }, { 3 } }, { [1] = { [1] = 9 } } }, s = 0;
  for (int i = 0; i < 8; i++)
    s = s * 2 + (&local[0][0][0])[i];
  printf("%d\n", s);
  int (*p)[4][5] = &cube[1];
  printf("%d %ld\n", (*p)[1][2], (long)((char *)(p + 1) - (char *)p));
  return 0;
}
