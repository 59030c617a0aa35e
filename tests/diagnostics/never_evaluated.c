// flags: -Wall -Wextra -Wconversion -Wno-sign-conversion -Wfloat-equal
// What a constant operand rules out is never evaluated: as in gcc, nothing is said of its value. Functions named `loud` hold the
// same where it may be evaluated.
extern int sink;
void quiet(int n, unsigned u, char c, unsigned char b, long l, double d) {
  sink = 1 ? 0 : n / 0;
  sink = 0 ? n % 0 : 0;
  sink = 0 && n << 32;
  sink = 1 || n >> -1;
  sink = sizeof(n) == 8 ? n << 40 : 0;
  sink = 1 ? 3 : 1 << 31 << 1;
  sink = 0 ? 2147483647 + 1 : 0;
  sink = 0 ? -(-2147483647 - 1) : 0;
  sink = 1 || (c = 1000);
  sink = 0 && (b = n, n = l, sink);
  sink = 0 ? n < u : 0;
  sink = 1 ? 0 : n ? n : u;
  sink = 1 ? 0 : n ? 1 / 0 : ({ int inner = 1 / 0; inner; });
  sink = 0 ? __builtin_abs(d) : 0;
}
void loud(int n, unsigned u, char c, unsigned char b, long l, double d) {
  sink = n ? 0 : n / 0;
  sink = n && n << 32;
  sink = 1 ? 1 << 31 << 1 : 0;
  sink = 1 && 2147483647 + 1;
  sink = 0 || (c = 1000);
  sink = n ? n < u : 0;
  sink = n && (b = n, n = l, sink);
  if (0) sink = n / 0;
  sink = d && n;
}
unsigned long signs(int n, unsigned long w, unsigned u, unsigned short h, char c) {
  return n ? n : w;
  return n ? u : c;
  return n ? h : c;
  return n ? 1 : w;
}
