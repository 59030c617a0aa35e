int f(int a) { return ((((a))); }
int g(void) { return 1; }
