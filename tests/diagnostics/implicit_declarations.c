// flags: -std=gnu17
main(void) { return undeclared(1); }
f(a) { return a; }
static x;
