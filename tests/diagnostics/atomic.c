_Atomic int a; _Atomic(int) b; _Atomic(int[2]) c; _Atomic(const int) d; struct s { int x; }; _Atomic struct s t;
void f(void) { a++; b = a + 1; t.x; }
