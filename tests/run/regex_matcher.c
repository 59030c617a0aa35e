#include <stdio.h>

static int here(const char *re, const char *s);

static int star(int c, const char *re, const char *s) {
  do {
    if (here(re, s))
      return 1;
  } while (*s && (*s++ == c || c == '.'));
  return 0;
}

static int here(const char *re, const char *s) {
  if (!re[0])
    return 1;
  if (re[1] == '*')
    return star(re[0], re + 2, s);
  if (re[0] == '$' && !re[1])
    return !*s;
  if (*s && (re[0] == '.' || re[0] == *s))
    return here(re + 1, s + 1);
  return 0;
}

static int match(const char *re, const char *s) {
  if (*re == '^')
    return here(re + 1, s);
  do {
    if (here(re, s))
      return 1;
  } while (*s++);
  return 0;
}

static int glob(const char *p, const char *s) {
  for (; *p; p++, s++) {
    switch (*p) {
    case '*':
      for (;; s++) {
        if (glob(p + 1, s))
          return 1;
        if (!*s)
          return 0;
      }
    case '?':
      if (!*s)
        return 0;
      break;
    default:
      if (*p != *s)
        return 0;
    }
  }
  return !*s;
}

int main(void) {
  const char *re[] = { "^ab*c$", "b.d", "x*", "^$", "a.*z" }, *s[] = { "abbbc", "ac", "abcd", "", "a to z", "zebra" };
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 6; j++)
      printf("%d", match(re[i], s[j]));
    printf(" ");
  }
  printf("%d%d%d\n", glob("*.c", "main.c"), glob("a?c*", "abcdef"), glob("*.h", "main.c"));
  return 0;
}
