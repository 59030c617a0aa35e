struct p { int x, y; };
struct p a = { .z = 1 };
int b[3] = { [5] = 1 };
int c = { 1, 2 };
struct p d = { { 1 }, 2, 3 };
char *e = { "a", "b" };
int f(int n) { int v[n] = { 1 }; static int s = n; return v[0] + s; }
