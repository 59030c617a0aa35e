#include <stdio.h>

static int state_machine(const char *s) {
  int n = 0;
start:
  switch (*s++) {
  case 'a': goto in_a;
  case 'b': goto in_b;
  case 0: goto end;
  default: goto start;
  }
in_a:
  n += 1;
  if (*s == 'a') {
    s++;
    goto in_a;
  }
  goto start;
in_b:
  n += 10;
  goto start;
end:
  return n;
}

static int into_block(int x) {
  int r = 0;
  if (x)
    goto inside;
  for (int i = 0; i < 3; i++) {
    r += 100;
  inside:
    r++;
    if (x-- > 0)
      break;
  }
  return r;
}

int main(void) {
  printf("%d %d %d\n", state_machine("aaabxxab"), into_block(0), into_block(5));
  int i = 0;
unused: __attribute__((unused));
again:
  i++;
  {
    int fresh = i * 2;
    if (fresh < 10)
      goto again;
    printf("%d\n", fresh);
  }
  return 0;
}
