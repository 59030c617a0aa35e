// flags: -Werror=unused-variable -Wunused-variable
int f(void) { int unused = 1; return 0; }
