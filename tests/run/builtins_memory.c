#include <stdio.h>
#include <string.h>
#include <stddef.h>

struct s { int a; char b[11]; double c; };

static void fill(void *p, int c, size_t n) { memset(p, c, n); }

int main(void) {
  char a[64], b[64];
  memset(a, 'x', sizeof a);
  memcpy(b, a, 10);
  b[10] = 0;
  printf("%s %zu\n", b, strlen(b));
  for (size_t n = 0; n < 40; n += 7) {
    fill(a, (int)n + 1, n);
    memcpy(b, a, n);
    int ok = memcmp(a, b, n) == 0;
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
      sum += b[i];
    printf("%d %u ", ok, sum);
  }
  printf("\n");
  struct s s = { 1, "hello", 2.5 }, t;
  memcpy(&t, &s, sizeof t);
  printf("%d %s %g\n", t.a, t.b, t.c);
  memset(&t, 0, sizeof t);
  printf("%d %d %g\n", t.a, t.b[3], t.c);
  char m[] = "0123456789";
  memmove(m + 2, m, 6);
  printf("%s\n", m);
  memmove(m, m + 3, 5);
  printf("%s\n", m);
  printf("%d %d %d\n", strcmp("abc", "abd") < 0, strncmp("abcd", "abxx", 2), memcmp("\xff", "\x01", 1) > 0);
  printf("%s %s %s\n", strchr("hello", 'l'), strrchr("hello", 'l'), strstr("hello world", "wor"));
  char c[20];
  strcpy(c, "abc");
  strcat(c, "def");
  strncpy(c + 6, "ghijk", 3);
  c[9] = 0;
  printf("%s\n", c);
  printf("%zu %zu\n", __builtin_offsetof(struct s, c), offsetof(struct s, b[2]));
  printf("%d\n", (int)__builtin_object_size(a, 0));
  printf("%d %d\n", __builtin_expect(s.a, 1) == 1, (int)__builtin_strlen("four"));
  unsigned long v;
  memcpy(&v, "\1\2\3\4\5\6\7\10", 8);
  printf("%lx\n", v);
  return 0;
}
