#include <stdio.h>

int real(int x) { return x + 1; }
int other(int x) __attribute__((alias("real")));
extern int missing(int) __attribute__((weak));
extern int absent __attribute__((weak));
__attribute__((weak)) int overridable(void) { return 5; }
static int hidden(void) { return 9; }
int visible(void) __attribute__((alias("hidden")));
int variable = 3;
extern int variable_alias __attribute__((alias("variable")));
#pragma weak pragma_missing
extern void pragma_missing(void);
static int renamed(void) __asm__("a_different_name");
static int renamed(void) { return 21; }
extern int by_other_name(int) __asm__("real");

int main(void) {
  printf("%d %d\n", other(4), missing ? missing(1) : -1);
  printf("%d %d %d\n", &absent == 0, overridable(), visible());
  variable = 8;
  printf("%d %d\n", variable_alias, &variable_alias == &variable);
  printf("%d %d %d\n", pragma_missing == 0, renamed(), by_other_name(1));
  return 0;
}
