// flags: -Wstrict-prototypes
int declared();
struct s { int (*member)(); };
typedef int type();
int (*variable)();
int (*(*result(void))())(int);
void takes(int (*callback)(), int function());
int before(void);
int before() { return 1; }
int without();
int without() { return 1; }
int alone() { return 1; }
int old_style(a) int a; { return a; }
int later(int);
int later(a) int a; { return a; }
int g(void)
{
    int local();
    return sizeof(int (*)()) + local();
}
