// flags: -P
#define A(...) __VA_OPT__
#define B(...) __VA_OPT__(
#define C(...) __VA_OPT__(__VA_OPT__())
#define D(...) __VA_OPT__(## x)
#define E(...) __VA_OPT__(x ##)
