// flags: -Wall
// What numbers can be is known from the expressions that make them.
int snprintf(char *, unsigned long, const char *, ...);
int sprintf(char *, const char *, ...);
void use(char *);
void f1(unsigned char c) { char b[3]; sprintf(b, "%d", c); use(b); }
void f2(short c) { char b[3]; sprintf(b, "%d", c); use(b); }
void f3(unsigned c) { char b[3]; sprintf(b, "%u", c / 10); use(b); }
void f4(unsigned c) { char b[3]; sprintf(b, "%u", c % 1000); use(b); }
void f5(int c) { char b[3]; sprintf(b, "%d", c % 100); use(b); }
void f6(int c) { char b[3]; sprintf(b, "%d", c & 0xff); use(b); }
void f7(unsigned c) { char b[3]; sprintf(b, "%x", c >> 20); use(b); }
void f8(struct { int f : 12; unsigned g : 12; } s) { char b[3]; sprintf(b, "%d", s.f); sprintf(b, "%u", s.g); use(b); }
void f9(unsigned char c) { char b[3]; sprintf(b, "%d", c + 1); use(b); }
void f10(unsigned char c) { char b[4]; sprintf(b, "%02x%d", c, c / 16); use(b); }
void f11(unsigned char c) { char b[2]; sprintf(b, "%d", c == 3); sprintf(b, "%d", !c); use(b); }
void f12(unsigned char c, int k) { char b[2]; sprintf(b, "%d", k ? c : 300);  use(b); }
void f13(int k) { char b[3]; sprintf(b, "%u", (unsigned)k);  use(b); }
void f14(long k) { char b[3]; sprintf(b, "%d", (int)k);  use(b); }
void f15(long k) { char b[3]; sprintf(b, "%d", (unsigned char)k);  sprintf(b, "%hhx", (int)k); use(b); }
void f16(unsigned char *k) { char b[3]; snprintf(b, sizeof b, "%d", *k); use(b); }
void f17(unsigned char *k) { char b[3]; snprintf(b, sizeof b, "%d.%d", k[0] / 16, k[1] % 16); use(b); }
void f18(unsigned long k) { char b[3]; snprintf(b, sizeof b, "%lu", k / 1000); use(b); }
void f19(int k) { char b[3]; snprintf(b, sizeof b, "%d", k / 1000); use(b); }
void f20(int k) { char b[3]; snprintf(b, sizeof b, "%d", k * 2); use(b); }
void f21(unsigned k) { char b[3]; snprintf(b, sizeof b, "%d", k / 2); use(b); }
void f22(unsigned char k) { char b[3]; snprintf(b, sizeof b, "%d", k * 2); use(b); }
void f23(unsigned char k) { char b[9]; snprintf(b, sizeof b, "%d", -k * 1234567); use(b); }
void f24(unsigned char k, unsigned char l) { char b[9]; snprintf(b, sizeof b, "%d.%d", k * 7000, l); use(b); }
void f25(int k) { char b[3]; snprintf(b, sizeof b, "%c%d", k, k ^ 1); use(b); }
void f26(char k) { char b[3]; snprintf(b, sizeof b, "%x", k); use(b); }
void f27(unsigned short k) { char b[3];  snprintf(b, sizeof b, "%d", k - 10000); use(b); }
void f28(int k) { char b[3]; snprintf(b, sizeof b, "%d", k + 1); use(b); }
void f29(int k) { char b[3]; snprintf(b, sizeof b, "%d", k - 1); use(b); }
void f30(int k) { char b[3]; snprintf(b, sizeof b, "%d", -k); use(b); }
void f31(int k) { char b[3]; snprintf(b, sizeof b, "%d", ~k); use(b); }
void f32(int k) { char b[3]; snprintf(b, sizeof b, "%d", k << 1); use(b); }
void f33(unsigned k) { char b[3]; snprintf(b, sizeof b, "%u", k + 1); use(b); }
void f34(int k, int j) { char b[3]; snprintf(b, sizeof b, "%d", k / j); use(b); }
void f35(int k, int j) { char b[3]; snprintf(b, sizeof b, "%d", k % j); use(b); }
void f36(int k, int j) { char b[3]; snprintf(b, sizeof b, "%d", k >> j); use(b); }
void f37(int k, int j) { char b[3]; snprintf(b, sizeof b, "%d", k & j); use(b); }
void f38(unsigned char k, int j) { char b[3]; snprintf(b, sizeof b, "%d", k + j); use(b); }
void f39(unsigned char k, int j) { char b[3]; snprintf(b, sizeof b, "%d", k | j); use(b); }
void f40(unsigned char k, unsigned char j) { char b[3]; snprintf(b, sizeof b, "%d", k | j); use(b); }
void f41(unsigned char k, unsigned char j) { char b[3]; snprintf(b, sizeof b, "%d", k ^ j); use(b); }
void f42(unsigned char k, unsigned char j) { char b[3]; snprintf(b, sizeof b, "%d", k << j); use(b); }
void f43(unsigned char k, unsigned char j) { char b[3]; snprintf(b, sizeof b, "%d", k << 3); use(b); }
void f44(unsigned char k, unsigned char j) { char b[3]; snprintf(b, sizeof b, "%d", k - j); use(b); }
void f45(unsigned long k) { char b[3]; snprintf(b, sizeof b, "%d", (int)(k / 1000)); use(b); }
void f46(unsigned long k) { char b[3]; snprintf(b, sizeof b, "%u", (unsigned)(k % 1000)); use(b); }
void f47(unsigned char k) { char b[3]; snprintf(b, sizeof b, "%x", k); snprintf(b, sizeof b, "%o", k); snprintf(b, sizeof b, "%#x", k); use(b); }
void f48(signed char k) { char b[3]; snprintf(b, sizeof b, "%d", k); snprintf(b, sizeof b, "%+d", k); snprintf(b, sizeof b, "%.5d", k); use(b); }
void f49(unsigned k) { char b[3]; snprintf(b, sizeof b, "%hhu", k); snprintf(b, sizeof b, "%hd", k);snprintf(b, sizeof b, "%hhx", k % 16); use(b); }
void f50(enum { A, B = 100 } k) { char b[3]; snprintf(b, sizeof b, "%u", k); use(b); }
void f51(_Bool k) { char b[2]; snprintf(b, sizeof b, "%u", k);snprintf(b, 1, "%u", k); use(b); }
void f52(int k) { char b[3]; snprintf(b, sizeof b, "%d", k > 0 ? 100 : 2); use(b); }
void f53(int k) { char b[3]; snprintf(b, sizeof b, "%d", k * 10); use(b); }
void f54(unsigned k) { char b[3]; snprintf(b, sizeof b, "%d", k / 1000); use(b); }
void f55(unsigned k) { char b[3]; snprintf(b, sizeof b, "%d", 'a' + k % 100); use(b); }
void f56(unsigned short k) { char b[3]; snprintf(b, sizeof b, "%d", (int)(k * 3ul)); use(b); }
void f57(unsigned short k) { char b[3]; snprintf(b, sizeof b, "%d", 100 - k); use(b); }
void f58(char *p, char *q) { char b[3]; snprintf(b, sizeof b, "%d", (int)(p-q)); snprintf(b, sizeof b, "%ld", p-q); use(b); }
void f59(int *p) { char b[3]; snprintf(b, sizeof b, "%d", *p % 1000); snprintf(b, sizeof b, "%ld", p-(int*)b); use(b); }
void f60(long p) { char b[3]; snprintf(b, sizeof b, "%d", (int)p % 1000); snprintf(b, sizeof b, "%lu", sizeof b); use(b); }
void f61(float f) { char b[3]; snprintf(b, sizeof b, "%d", (int)f); snprintf(b, sizeof b, "%d", (unsigned char)f); use(b); }
struct s { int f : 12; unsigned g : 12; };
void f62(struct s s) { char b[3]; sprintf(b, "%d", s.f); sprintf(b, "%u", s.g); use(b); }
void f63(struct s *s) { char b[3]; sprintf(b, "%d", s->f); sprintf(b, "%u", s->g); use(b); }
void f64(int s) { char b[3]; sprintf(b, "%3d", s); sprintf(b, "%2d", s); sprintf(b, "%1d", s);use(b); }
void f65(int s) { char b[3]; snprintf(b, 3, "%3d", s); snprintf(b, 3, "%2d", s); snprintf(b, 3, "%4d", s); snprintf(b, 3, "%1d", s); use(b); }
void f66(int s) { char b[5]; snprintf(b, 3, "a%2d", s); snprintf(b, 3, "a%1d", s); snprintf(b, 3, "%2d%d", s, 5); snprintf(b, 3, "%1d%d", s, 5); use(b); }
void f67(unsigned char s) { char b[5]; snprintf(b, 3, "%2d", s); snprintf(b, 3, "%03d", s); snprintf(b, 3, "%4d", s); snprintf(b, 3, "%-3d",s); use(b); }
void f68(unsigned char s, int w) { char b[5]; snprintf(b, 3, "%*d", w, s); snprintf(b, 3, "%.*d", w, s); snprintf(b, 3, "%*d", 4, s); use(b); }
int f69(unsigned char s, int w) { char b[5]; int r = snprintf(b, 3, "%d", s); use(b); return r; }
int f70(unsigned char s, int w) { char b[5]; int r = snprintf(b, 3, "%04d", s); use(b); return r; }
// What other statements may say of a value is not known.
int get(void);
struct fields { unsigned short method; unsigned v; } *S; unsigned G;
void other1(void) { char b[4]; if (S->method <= 999) sprintf(b, "%03u", S->method); use(b); }
void other2(void) { char b[4]; unsigned h = S->method & 15; sprintf(b, "%u", h / 10); use(b); }
void other3(void) { char b[3]; sprintf(b, "%u", S->v / 1000); sprintf(b, "%u", G % 1000); use(b); }
void other4(unsigned v) { char b[3]; if (v > 50) return; sprintf(b, "%u", v + 1); use(b); }
void other5(unsigned v) { char b[3]; v = 7; sprintf(b, "%u", v * 2); use(b); }
void other6(void) { char b[3]; unsigned v = get(); sprintf(b, "%u", v % 1000); use(b); }
void other8(unsigned char *p) { char b[3]; if (*p < 10) sprintf(b, "%d", *p); use(b); }
void other9(int v) { char b[3]; v /= 1000000000; sprintf(b, "%d", v * 2); use(b); }
