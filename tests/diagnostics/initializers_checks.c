int a[2] = { 1, 2, 3 };
struct s { int x, y; } s = { 1, 2, 3 };
int i = { 1, 2 };
char c[2] = "abc";
int j = "x";
int k = *(&i);
int *p = &k + i;
struct s t = { .z = 1 };
int b[2] = { [5] = 1 };
int d[] = 5;
int e[2] = { [-1] = 2, .x = 3 };
int f() { static int q = f(); extern int w = 1; return q; }
extern int ext = 2;
struct u uu = { 1 };
