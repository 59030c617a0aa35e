// flags: -std=gnu11
inline int a;
typedef inline int b;
void c(inline int d(void));
struct e { int x; struct { int y; int x; }; };
struct f { int n; char s[]; };
struct f g[] = { { 1, "abc" } };
struct { struct f f; } h = { { 1, { 2 } } };
typedef int i[3] __attribute__((aligned(16)));
i j[2];
int k[2][2] = { [0][0] 1 };
struct l { int m; } l = { .m 1 };
enum n { o = 2147483647, p };
register int q asm("nowhere");
extern inline __attribute__((gnu_inline)) int r(void) { return 1; }
int r(void) { return 2; }
int r(void) { return 3; }
int s(void) { extern int t; return 0; }
int u(void) { return t(0); }
typedef int v __attribute__((vector_size(16)));
typedef float w __attribute__((vector_size(16)));
v x(w y) { return y; }
int z = sizeof(_Alignas(8) long) + (_Alignas(8) long)1;
int main(void) { int (*p)(void) = &(_Alignas(16) struct l){1}.m == 0 ? main : main; return p != 0; }
