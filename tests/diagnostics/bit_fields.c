struct s
{
    int a : 33;
    int b : -1;
    int c : 0;
    float d : 3;
    int *e : 2;
    _Bool g : 2;
    int n : 1.5;
    unsigned ok : 32;
};
struct s s; void f(void) { &s.ok; sizeof s.ok; }
