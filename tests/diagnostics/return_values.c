// flags: -Wall
void f(void) { return 1; }
int g(void) { return; }
int h(int x) { if (x) return 1; }
int i(void) { }
_Noreturn void j(void) { }
