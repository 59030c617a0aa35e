// like-gcc: gcc 12 has no C2Y
// flags: -std=gnu2y
// C2Y: names of loops, declarations in headers of selections, deferred statements, counts of elements.
#include <stdcountof.h>
#include <stddefer.h>
#include <stdio.h>

static int named(int n) {
  int steps = 0;
rows:
  for (int i = 0; i < n; i++) {
  columns:
    for (int j = 0;; j++) {
      steps++;
      switch (i * 10 + j) {
      case 2: continue rows;
      case 11: break columns;
      case 23: break rows;
      case 20: continue;
      }
      if (j > 5) break;
    }
    steps += 100;
  }
  return steps;
}

static int forever(int n) {
outer:
  while (1)
    do
      if (n-- == 3) break outer;
    while (1);
  return n;
}

static int selected(int n) {
again:
  switch (n) {
  case 0:
    for (;;) break again;
    return 1;
  default:
    return 2;
  }
  return 3;
}

static int headers(int n) {
  if (int half = n / 2)
    n += half;
  else if (int third = n * 3; third > 2)
    return third + half;
  else
    return -half - third;
  switch (int rest = n % 3; rest + 1) {
  case 1: return rest;
  case 2: return 10 + rest;
  }
  switch (unsigned char last = n) {
  case 255: return 1000;
  default: return last;
  }
}

static int deferred(int n) {
  defer printf("end %d\n", n);
  for (int i = 0; i < n; i++) {
    defer {
      static int count;
      printf("leave %d %d;", i, ++count);
    }
    if (i == 1) continue;
    if (i == 3) return printf("return;");
    printf("round;");
  }
  {
    int array[n + 1];
    defer array[0] += n, printf("[%d]", array[0]);
    array[0] = 40;
  }
  if (n == 1) goto out;
  n = 100;
out:
  return n;
}

static int nested(void) {
  int x = 1;
  {
    defer {
      defer x *= 3;
      for (int i = 0; i < 5; i++)
        if (i == 2) break;
        else x += i + 1;
    }
    x += 10;
  }
  return x;
}

static int calls;
static int *counted(void) {
  calls++;
  return &calls;
}

int main(void) {
  printf("%d %d %d %d\n", named(4), forever(7), selected(0), selected(5));
  for (int i = -1; i < 4; i++) printf("%d ", headers(i));
  printf("%d\n", headers(170));
  for (int n = 0; n < 5; n++) printf("= %d\n", deferred(n));
  printf("%d\n", nested());
  int matrix[3][7], n = 4;
  double variable[n + 1][2];
  printf("%zu %zu %zu %zu %zu\n", countof(matrix), countof(matrix[0]), countof(int[9]), countof variable, countof(*variable));
  printf("%zu %zu %d\n", countof(char[n]), countof((int[]){1, 2, 3}), calls);
  int (*p)[n] = 0;
  printf("%zu %d\n", countof(*(counted(), p)), calls);
  static_assert(countof("abc") == 4);
  printf("%d\n", 0o17 + 0O1);
  return 0;
}
