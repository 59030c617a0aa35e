#include <stdio.h>

static void done(int *p) { printf("done %d\n", *p); }
static void release(char **p) { printf("release %s\n", *p); }

static int early(int x) {
  int a __attribute__((cleanup(done))) = x;
  if (x == 1)
    return a * 10;
  char *s __attribute__((cleanup(release))) = "s";
  for (int i = 0; i < 3; i++) {
    int b __attribute__((__cleanup__(done))) = i + 100;
    if (i == 1)
      continue;
    if (x == 2 && i == 2)
      break;
    if (x == 3 && i == 2)
      goto out;
    if (x == 4)
      return b;
  }
  printf("after loop\n");
out:
  a++;
  return a;
}

static int value(void) {
  int v __attribute__((cleanup(done))) = 7;
  return v++ + ({
    int w __attribute__((cleanup(done))) = 8;
    w * 2;
  });
}

int main(void) {
  for (int i = 0; i < 5; i++)
    printf("= %d\n", early(i));
  printf("= %d\n", value());
  switch (1) {
  case 1: {
    int k __attribute__((cleanup(done))) = 55;
    break;
  }
  }
  return 0;
}
