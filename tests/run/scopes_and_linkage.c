#include <stdio.h>

int global;
int global;
extern int global;
static int internal = 5;
extern int internal;
static int counter(void) {
  static int n = 10;
  return n++;
}
static int forward(int);
typedef int T;

static int shadow(int T) {
  int x = T;
  {
    int x = 2;
    {
      extern int global;
      global = x + T;
    }
    T += x;
  }
  return x * 100 + T;
}

static int statics(int k) {
  if (k) {
    static int v = 1;
    return v *= 2;
  } else {
    static int v = 100;
    return v--;
  }
}

int main(void) {
  int n = counter() + counter();
  printf("%d %d\n", n, counter());
  printf("%d ", shadow(5));
  printf("%d\n", global);
  printf("%d %d\n", forward(3), internal);
  for (int i = 0; i < 3; i++)
    printf("%d ", statics(1) * 1000 + statics(0));
  printf("\n");
  T t = 4;
  {
    typedef char *T;
    T s = "str";
    printf("%s\n", s);
  }
  printf("%d\n", t);
  struct tag { int a; } s = { 1 };
  {
    struct tag { char b[3]; };
    printf("%zu\n", sizeof(struct tag));
  }
  printf("%zu\n", sizeof(struct tag) + 0 * s.a);
  int main = 3;
  printf("%d\n", main);
  return 0;
}

static int forward(int x) { return x + internal; }
