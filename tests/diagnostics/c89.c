// flags: -std=c89 -Wpedantic
void f(int n)
{
    int a[n];
    n = 1;
    int b;
    for (int i = 0; i < n; i++) ;
}
long long x;
int y = 1 // comment
;
enum e { A, };
struct s { struct { int a; }; };
int (*z)[] = &(int[]){ 1, 2 };
