// flags: -c -Wall
void *a(void) __attribute__((alloc_align));
void *b(void) __attribute__((assume_aligned(32, 16, 8)));
int c(const char *, ...) __attribute__((format(printf, 1)));
int d(const char *, ...) __attribute__((format(printf, 1, 1)));
int e(int, ...) __attribute__((format(printf, 1, 2)));
void f(const char *, ...) __attribute__((format(strftime, 1, 2)));
int g(char *) __attribute__((access(read_onl, 1)));
int h(const char *, int) __attribute__((access(write_only, 1)));
int i(char *, char *) __attribute__((access(read_only, 1, 2)));
void j(int *) __attribute__((nonnull(absent)));
void k() __attribute__((nonnull));
void l(int);
void *m(int) __attribute__((malloc(l)));
void *n(int) __attribute__((malloc("l")));
void o(void) __attribute__((copy("l")));
typedef int p __attribute__((designated_init));
typedef char q __attribute__((vector_size(9223372036854775808u)));
int r __attribute__((section(".bss.r"))) = 1;
void s(void) __attribute__((section("one")));
void s(void) __attribute__((section("two")));
extern int t __attribute__((weakref("u")));
static int v __attribute__((weak));
#define ALIGN(n) __attribute__((aligned(n)))
ALIGN(3) int w;
void x(void) __attribute__((visibility("default"))) {}
void *y(void) __attribute__((malloc()));
