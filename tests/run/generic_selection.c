#include <stdio.h>

#define NAME(x)                                                                                                              \
  _Generic((x), int: "int", unsigned: "unsigned", long: "long", double: "double", float: "float", char *: "char *",          \
           const char *: "const char *", char: "char", void (*)(void): "function", int *: "int *", default: "other")

static void f(void) {}

struct s { int a; };

int main(void) {
  const int c = 1;
  char ch = 'a';
  int arr[3];
  struct s s = { 2 };
  printf("%s %s %s %s %s\n", NAME(1), NAME(1u), NAME(1L), NAME(1.0), NAME(1.0f));
  printf("%s %s %s %s %s\n", NAME("x"), NAME((const char *)0), NAME(ch), NAME(f), NAME(arr));
  printf("%s %s %s %s\n", NAME(c), NAME(s), NAME(ch + 1), NAME('a'));
  int evaluated = 0;
  printf("%d ", _Generic(evaluated++, int: 5, default: 6));
  printf("%d\n", evaluated);
  printf("%d\n", _Generic(&s, struct s *: s.a, default: 0));
  printf("%zu\n", sizeof(_Generic(1, int: (char)1, long: 1L)));
  _Generic(1, int: f, default: 0)();
  return 0;
}
