// flags: -Wall
int f(int x) { if (x) return 1; }
int g(int x) { for (;;) ; }
int h(int x) { switch (x) { default: return 1; } }
