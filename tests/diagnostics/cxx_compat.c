// flags: -Wc++-compat
// What C++ takes for something else, or not at all.
void *malloc(unsigned long); enum A { A1, A2 }; enum B { B1 };
int *p1 = 0; char *p2 = (void *)0; int f1(int *p, enum A a); typedef enum { T1 } T; T t1;
int *f2(void *v) { int *a = v; a = malloc(3); f1(v, 1); f1(0, A1); a = (int *)v; const char *c = v; void *w = a; return v; }
void f3(void) { enum A a = 1; a = B1; a = A2; a = a + 1; a |= 1; a++; f1(0, B1); int i = a; a = i; a = 0; enum A b = a; b = A1 | A2; a = a ? A1 : A2; t1 = 1; T t2 = a; (void)b; (void)t2; }
enum A f4(int i) { return i; } enum A f5(void) { return 0; } enum A f6(void) { return A1; }
int class; struct s { int new; int private; } s; void f7(int this, int template) { int delete = 1; typedef int catch; goto try; try:; enum { operator }; (void)delete; } 
const int c1; struct k { const int a; }; struct k k1; void f8(void) { const int c2; struct k k2; (void)c2; (void)k2; static const int c3; extern const int c4; } extern const int c5;
int d1; int d1; static int d2; static int d2; extern int d3; int d3; int d4 = 1; int d4;
void (*fp)(void); void f9(void) { void *v = 0; fp = v; v = fp; void **vv = v; int *a = v ? v : 0; a = 0; a = (void *)0; char b[] = "x"; a = __builtin_alloca(3); }
struct e {}; union eu {};
enum A f10(int w, enum A x, enum A y, enum B z) {
  enum A a = w ? x : A2;
  a = w ? x : y;
  a = w ? (unsigned)x : y;
  a = (unsigned)x;
  a = w ? z : z;
  a = w ? x : w ? y : x;
  return w ? x : w;
}
