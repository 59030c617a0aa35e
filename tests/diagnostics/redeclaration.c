int a; double a;
int b = 1; int b = 2;
int f(int); int f(double);
int g(void) { return 1; } int g(void) { return 2; }
int h; int h(void);
extern int s; static int s;
static int t; int t;
void k(int p) { int p; int q; int q; { int q; } }
typedef int T; typedef long T;
enum { E, E };
