// flags: -Wextra
// As in gcc: results and parameters are compared as far as both lists go, a complete list ends in `void`.
struct s;
int one(int), two(int, int), variadic(int, ...), unknown();
void nothing(struct s *), any(void);
void quiet(void) {
  (void)(int (*)(unsigned))one;
  (void)(int (*)(int, ...))one;
  (void)(int (*)())one;
  (void)(int (*)())two;
  (void)(double (*)(double))any;
  (void)(void (*)(void))two;
  (void)(int (*)(int, int))variadic;
  (void)(int (*)(double))unknown;
  (void)(void (*)(void *))nothing;
}
void loud(void) {
  (void)(int (*)(int, int))one;
  (void)(int (*)(void))one;
  (void)(int (*)())nothing;
  (void)(void (*)(int))one;
  (void)(int (*)(long))one;
  (void)(int (*)(double, int))variadic;
  (void)(void (*)())one;
}
