f(void) { return 1; }
static x;
y;
int g(a) { return a; }
