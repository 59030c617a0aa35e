// flags: -P -std=c99
#define only(...) f(0, ##__VA_ARGS__)
only() only(1)
#define e(fmt, ...) p(fmt, ##__VA_ARGS__)
e("x") e("x",) e("x", 1)
