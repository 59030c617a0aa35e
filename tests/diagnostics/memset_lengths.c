// flags: -Wall
void *memset(void *, int, unsigned long);
int memcmp(const void *, const void *, unsigned long);
#define ZERO 0
enum { NONE };
struct s { int member[3]; };
void quiet(char *p, int a[4], int (*q)[4]) {
  memset(p, 1, sizeof(int) - 4);
  memset(p, 1, NONE);
  memset(p, 1, (0));
  memset(p, 1, 1 - 1);
  memset(p, 1, (unsigned long)0);
  memset(p, 0, 0);
  memset(p, '\0', 0);
  memset(a, 0, 4);
  memset(*q, 0, 4);
}
void loud(char *p, char *r, struct s *s) {
  int a[4];
  memset(p, 1, 0);
  memset(p, (0), 0);
  memset(p, 1, ZERO);
  memset(p, 1, '\0');
  memset(a, 0, sizeof(int));
  memset(&a, 0, 2 + 2);
  memset((char *)a, 0, 4);
  memset(s->member, 0, 3);
  if (memcmp(p, r, sizeof(p)) || memcmp(r, p, sizeof(p))) return;
}
