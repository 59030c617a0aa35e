#include <stdio.h>
#include <ctype.h>
#include <string.h>
#include <stdlib.h>

static int count_words(const char *s) {
  int n = 0, in = 0;
  for (; *s; s++)
    if (isspace((unsigned char)*s))
      in = 0;
    else if (!in) {
      in = 1;
      n++;
    }
  return n;
}

static char *reverse(char *s) {
  for (size_t i = 0, j = strlen(s); i + 1 < j; i++) {
    char t = s[i];
    s[i] = s[--j];
    s[j] = t;
  }
  return s;
}

int main(void) {
  char buf[] = "Hello, World 123";
  for (char *p = buf; *p; p++)
    *p = isupper((unsigned char)*p) ? tolower((unsigned char)*p) : toupper((unsigned char)*p);
  printf("%s %d %s\n", buf, count_words("  a bb   ccc "), reverse(buf));
  printf("%d %ld %g\n", atoi("-42x"), strtol("0x1f", 0, 0), strtod("2.5e3", 0));
  char *copy = strdup("a,b,,c"), *save = copy;
  for (char *t = strtok(copy, ","); t; t = strtok(0, ","))
    printf("[%s]", t);
  printf("\n");
  free(save);
  printf("%zu %zu\n", strspn("aabbc", "ab"), strcspn("hello", "lo"));
  return 0;
}
