// flags: -c -O2 -Wall -Wstrict-prototypes -Wredundant-decls -Wnested-externs -Wbad-function-cast -Wdouble-promotion
void *memset(void *, int, unsigned long), *memcpy(void *, const void *, unsigned long);
char *strncpy(char *, const char *, unsigned long);
struct s { int first[4], y, last[2]; } one, *many;
int a[10], m[3][4], old(), again(void), again(void);
extern int variable;
extern int variable;

int bounds(int i) {
  a[10] = 1;
  a[-1] = 2;
  a[9] = 3;
  i += m[1][4];
  many->first[4] = 1;
  many->last[2] = 1;
  if (0)
    a[11] = 1;
  int *end = &a[10];
  return i + *--end + sizeof(a[12]);
}

void lengths(char *c, int *p) {
  int q[10];
  memset(c, 0, sizeof(c));
  memset(c, sizeof(*c), 0);
  memset(c, 0, 0);
  memcpy(c, p, sizeof(p));
  memcpy(c, p, sizeof(*p));
  memset(q, 0, 10);
  memset(q, 0, sizeof(q));
  strncpy(c, "x", sizeof(c));
}

double others(float f, double d) {
  extern int nested;
  return f * d + (double)again() + nested;
}

int rows[2][2] = {1, 2, 3, 4}, flat[2][2] = {0}, full[2][2] = {{1, 2}, {3, 4}};
struct s zero = {0}, lacking = {1, 2, 3, 4, 5, 6};
