// flags: -Wall
// What a macro names is reported where the macro is used.
int old_signal(int, int) __attribute__((deprecated));
typedef int old_int __attribute__((deprecated));
#define signal old_signal
#define twice(a) old_signal(a, a)
#define INT old_int
int f(void) {
  signal(1, 2);
  twice(3);
  INT x = 1;
  return x;
}
