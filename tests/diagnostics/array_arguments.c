// Arguments smaller than the arrays that parameters are declared as.
void r1(const char s[128]); void w1(char s[128]); void r2(const int s[static 8]); void w2(int s[static 8]); void r3(const int s[8], int n); 
void r4(int n, const int a[8][4]); void w4(int (*a)[8]); struct s { int a[4]; }; 
void f(void) {
  char b[66]; int i[4]; int j; struct s s;
  r1(b); w1(b); r1("abc"); r2(i); w2(i); r3(i, 3); r3(i + 1, 2); r3(&j, 2); r3(s.a, 3); r3(0, 3); r2(0);
  r1(b + 3); r1(&b[3]); r3(&i[2], 1); char c[128]; r1(c); r1(c + 1); w1(c + 1); r1((char *)i); r4(2, (const int (*)[4])i);
}
extern char ex[]; extern char ey[20]; static const char z[30]; void h(void) { r1(ex); r1(ey); r1(z); w1((char *)z); }
void r5(const char s[128]) { r1(s); w1((char*)s); } void r6(const char s[20]) { r1(s); }
void r7(const char s[128]); void r7(const char *s); void r8(const char *); void r8(const char s[128]); void k(void) { char b[3] = ""; r7(b); r8(b); void (*fp)(const char s[128]) = r1; fp(b); }
