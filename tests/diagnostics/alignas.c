_Alignas(3) int a;
_Alignas(1) int b;
_Alignas(16) int c;
_Alignas(int) char d;
typedef _Alignas(8) int e;
void f(_Alignas(8) int g);
struct s { _Alignas(1) int h : 3; };
