void f(void) { else ; }
void g(void) { } }
int h;
