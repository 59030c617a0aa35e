// flags: -Wall
// Parameters that are arrays in one declaration and something else in another: what the function expects is not clear.
void bounds(int a[3]);
void bounds(int a[4]);
void to_pointer(int a[3]);
void to_pointer(int *a);
void to_array(int *a);
void to_array(int a[3]);
void loses(int a[3]);
void loses(int a[]);
void gains(int a[]);
void gains(int a[3]);
void at_least(const char a[static 3]);
void at_least(const char a[static 4]);
void rows(char (*a)[3]);
void rows(char a[2][3]);
void callbacks(int (*a[2])(void), int n);
void callbacks(int (*a[4])(void), int n);

void to_ordinary(int n, int a[n]);
void to_ordinary(int n, int a[]);
void to_plain_pointer(int n, int a[n]);
void to_plain_pointer(int n, int *a);
void expression(int n, int a[n]);
void expression(int n, int a[n + 1]);
void other_one(int n, int m, int a[n]);
void other_one(int n, int m, int a[m]);
void completed(int n, int a[*]);
void completed(int n, int a[n]);
void forgotten(int n, int a[n]);
void forgotten(int n, int a[*]);
void from_pointer(int n, int *a);
void from_pointer(int n, int a[n]);
void transposed(int n, int m, int a[n][m]);
void transposed(int n, int m, int a[m][n]) { (void)a; }

// Nothing is wrong with these.
void same(int a[3], int n, int b[n], int c[n + 1]);
void same(int d[3], int n, int k[n], int c[n + 1]);
void pointers(int a[]);
void pointers(int *a);
void statics(int a[static 3]);
void statics(int a[3]);
typedef int three[3];
void by_name(three a);
void by_name(int a[3]);
