// flags: -Wall -Wextra -Wlogical-op -Wduplicated-cond -Wduplicated-branches
int g(int);
_Bool truth;
unsigned count;

void precedence(int a, int b, int c) {
  if (a && b || c) g(1);
  if (a << 1 + b) g(1);
  if (a & b == c) g(1);
  if (a & b + c) g(1);
  if (a | b & c) g(1);
  if (a == b == c) g(1);
  if (a < b < c) g(1);
  if (1 < 2 < c) g(1);
  if (!a & b) g(1);
  if (!a & (b == c)) g(1);
  if ((a & b) == c || (a && b)) g(1);
}

void comparisons(int a, int b, const char *p) {
  unsigned char byte = a;
  if (!a == b) g(1);
  if (!truth == b) g(1);
  if (!!a == b) g(1);
  if (p == "text") g(1);
  if (a == a) g(1);
  if (p[2] != p[2]) g(1);
  if ((a & 4) == 3) g(1);
  if ((a & 4) == 4) g(1);
  if (count < 0) g(1);
  if (0 <= count) g(1);
  if (truth == 2) g(1);
  if (byte == 300) g(1);
  if (byte <= 255) g(1);
  if (a && a) g(1);
}

void truth_values(int a, int b) {
  if (a * b) g(1);
  if (a << b) g(1);
  if (a ? 1 : 2) g(1);
  if (a ? 0 : 1) g(1);
}

void indentation(int a) {
  if (a)
    g(1);
    g(2);
  while (a)
    g(1);
    g(2);
  for (;;)
    a--;
    g(3);
  if (a) ;
    g(3);
  if (a) g(1); g(2);
  if (a)
    g(1);
  else
    g(2);
    g(3);
  if (a)
    g(1);
#ifdef SOMETHING
  g(4);
#endif
  g(2);
}

void same(int a) {
  if (a) g(1); else g(1);
  if (a) { g(1); a = 2; } else { g(1); a = 2; }
  if (a) g(1); else if (a) g(2);
  if (a)
    while (a)
      if (g(1)) g(2);
      else g(3);
}

int sequence(int a, int *p, int b) {
  p[a] = a++;
  a = a++ + 1;
  a = (a++, 2);
  g(a++);
  a += a++;
  *p++ = *p;
  b = a++ + a++;
  a = b = a;
  b = a++ && a++;
  a = a ? a++ : 2;
  if (a++ == a) g(1);
  return a + a++;
}
