// Functions without effects that read memory see what the loop around their calls has stored.
#include <stdio.h>
#include <string.h>

#define PURE __attribute__((pure, noinline))

static int shared;
static int array[16];

PURE static int twice(const int *p) { return *p * 2; }
PURE static int of_shared(int n) { return shared + n; }
PURE static int total(const int *p, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += p[i];
  return sum;
}

static int through_address(void) {
  int k = 0, i;
  for (k = 0; k < 9;) {
    i = 0;
    while (1) {
      k += twice(&i);
      if (k > 7) break;
      i++;
    }
  }
  return k;
}

static int through_global(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    shared = shared * 3 + i;
    sum += of_shared(i);
  }
  return sum;
}

static int filled(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    array[i] = 7;
    sum = sum * 2 + total(array, 16);
  }
  return sum;
}

static int copied(const int *from, int *to, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    to[i] = from[i];
    sum = sum * 3 + total(to, n);
  }
  return sum;
}

static int last_of(int *p, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    *p = i;
    sum += twice(p);
    *p = -i;
  }
  return sum;
}

static int carried(int n) {
  int sum = 0;
  for (int i = 1; i < n; i++) {
    array[i] = array[i - 1] + 1;
    sum += total(array, i);
  }
  return sum;
}

static int lengths(char *text) {
  int sum = 0;
  for (int i = 0; i < 8; i++) {
    text[i] = 'x';
    text[i + 1] = 0;
    sum += (int)strlen(text);
  }
  return sum;
}

int main(void) {
  int from[8] = {1, 2, 3, 4, 5, 6, 7, 8}, to[8] = {0}, local = 0;
  char text[16] = "";
  printf("%d\n", through_address());
  printf("%d\n", through_global(9));
  printf("%d\n", filled(16));
  printf("%d\n", copied(from, to, 8));
  printf("%d %d\n", last_of(&local, 6), local);
  printf("%d\n", carried(16));
  printf("%d\n", lengths(text));
  return 0;
}
