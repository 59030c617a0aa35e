// checked: aliasing, a float is read as an int
#include <stdio.h>

typedef union { int *i; float *f; const void *v; } any __attribute__((transparent_union));
typedef int di __attribute__((mode(DI)));
typedef unsigned qi __attribute__((mode(QI)));
typedef float df __attribute__((mode(DF)));
typedef int word __attribute__((mode(word)));

static int first(any a) { return *a.i; }

int main(void) {
  int x = 5;
  float f = 1;
  printf("%d %x\n", first(&x), first(&f));
  printf("%zu %zu %zu %zu %d\n", sizeof(di), sizeof(qi), sizeof(df), sizeof(word), (qi)300);
  return 0;
}
