// flags: -std=c2x
constexpr int n = 5;
int a[n];
auto x = 1.5;
bool b = true;
int *p = nullptr;
int q = nullptr;
static_assert(sizeof(a) == 20);
int f(int) { return 0; }
int g() { return g(1); }
enum e : char { E = 300 };
int h(void) { return k(1); }
