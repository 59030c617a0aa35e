typedef int T = 1;
typedef T U; U x; T T;
void f(void) { T y; int T; T = 1; T z; }
