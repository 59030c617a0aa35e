#include <stdio.h>
#include <ctype.h>
#include <stdlib.h>

static const char *p;
static double expr(void);

static double primary(void) {
  while (isspace((unsigned char)*p))
    p++;
  if (*p == '(') {
    p++;
    double v = expr();
    if (*p == ')')
      p++;
    return v;
  }
  if (*p == '-') {
    p++;
    return -primary();
  }
  char *end;
  double v = strtod(p, &end);
  p = end;
  return v;
}

static double binary(int min) {
  double a = primary();
  for (;;) {
    while (isspace((unsigned char)*p))
      p++;
    char op = *p;
    int prec;
    switch (op) {
    case '+': case '-': prec = 1; break;
    case '*': case '/': prec = 2; break;
    default: return a;
    }
    if (prec < min)
      return a;
    p++;
    double b = binary(prec + 1);
    switch (op) {
    case '+': a += b; break;
    case '-': a -= b; break;
    case '*': a *= b; break;
    case '/': a /= b; break;
    }
  }
}

static double expr(void) { return binary(1); }

int main(void) {
  const char *tests[] = { "1 + 2 * 3", "(1 + 2) * 3", "10 - 4 - 3", "2 * -(3 + 4) / 7", "1.5e2 / (2 - 0.5)", "((((7))))" };
  for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++) {
    p = tests[i];
    printf("%s = %g\n", tests[i], expr());
  }
  return 0;
}
