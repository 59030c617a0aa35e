struct pair { const char *first, *second; };
struct pair pairs[] = { { { "a", { 0, 1 } }, { 0, 0 } } };
int x = { { { 4 }, 3 } };
extern int signbit(double);
int converted(int i) { return signbit(i); }
int refused(int i) { return __builtin_signbit(i); }
