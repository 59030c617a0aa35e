#include <stdio.h>

#define MAX(a, b)                                                                                                            \
  ({                                                                                                                         \
    __typeof__(a) _a = (a);                                                                                                  \
    __typeof__(b) _b = (b);                                                                                                  \
    _a > _b ? _a : _b;                                                                                                       \
  })

struct s {
  int a, b[3];
};

static int count;
static int next(void) { return ++count; }

static int early(int x) {
  int y = ({
    if (x < 0)
      return -1;
    x * 2;
  });
  return y + 1;
}

int main(void) {
  printf("%d %g\n", MAX(next(), next()), MAX(1.5, 2));
  printf("%d\n", count);
  struct s s = ({
    struct s t = { 1, { 2, 3, 4 } };
    t.b[1] = 30;
    t;
  });
  printf("%d %d %d\n", s.a, s.b[1], ({ struct s u = s; u.b[2]++; u; }).b[2]);
  printf("%d %d\n", early(5), early(-5));
  int i = 0;
  while (({ i++; i < 5; }))
    ;
  printf("%d\n", i);
  for (int k = ({ 3; }); ({ k > 0; }); ({ k--; }))
    printf("%d ", k);
  ({ ; });
  ({ printf("void\n"); });
  int r = ({
    int acc = 0;
    for (int k = 0; k < 10; k++) {
      if (k == 7)
        break;
      acc += ({ int sq = k * k; sq; });
    }
    acc;
  });
  printf("%d\n", r);
  switch (({ 3; })) {
  case 3:
    printf("three\n");
  }
  int *p = &({ int *q = &i; q; })[0];
  *p = 77;
  printf("%d\n", i);
  return 0;
}
