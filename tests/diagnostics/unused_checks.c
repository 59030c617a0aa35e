// flags: -c -Wall -Wextra
static int f(void) { return 1; }
static int g(void);
static void h(int p) { int a; int b = 1; int c; c = 2; typedef int t; lab: ; }
void k(void) { h(1); 1 + 2; k; "x"; 5 == 6; }
