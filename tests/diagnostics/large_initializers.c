struct s { char a[__PTRDIFF_MAX__ - 3], rest[]; };
struct s zero = { { 0 } };
struct s zeros = { { 0 }, { 0 } };
struct s far = { { 0 }, { 1 } };
long table[1L << 40] = { [1L << 39] = 1 };
char *addresses[1L << 40] = { [1L << 39] = "x" };
void f(void) { struct { int bits : 3; int array[1L << 40]; int more : 2; } x = { 1, { [1L << 38] = 2 }, 1 }; }
