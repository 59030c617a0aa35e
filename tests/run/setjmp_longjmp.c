#include <setjmp.h>
#include <stdio.h>

static jmp_buf env, inner;
static volatile int depth;

static void deep(int n) {
  depth++;
  if (n == 0)
    longjmp(env, 42);
  deep(n - 1);
  printf("not reached\n");
}

static int retry(void) {
  volatile int tries = 0;
  int r = setjmp(inner);
  tries++;
  if (tries < 4)
    longjmp(inner, tries);
  return r * 10 + tries;
}

int main(void) {
  volatile int local = 1;
  int r = setjmp(env);
  if (r == 0) {
    local = 2;
    deep(5);
  }
  printf("%d %d %d\n", r, local, depth);
  printf("%d\n", retry());
  if (!setjmp(env)) {
    local = 9;
    longjmp(env, 0);
  } else
    printf("zero becomes one %d\n", local);
  switch (setjmp(env)) {
  case 0:
    longjmp(env, 2);
  case 2:
    printf("two\n");
    break;
  default:
    printf("wrong\n");
  }
  return 0;
}
