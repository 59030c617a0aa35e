// The call that ends a variable's scope is checked as if it was written.
static void close_text(char **text) { (void)text; }
static void close_two(char **text, int n) { (void)text, (void)n; }

int f(void) {
  __attribute__((cleanup(close_text))) char *right = 0;
  __attribute__((cleanup(close_text))) char *const constant = 0;
  __attribute__((cleanup(close_text))) int number = 0;
  __attribute__((cleanup(close_two))) char *few = 0;
  return number + !right + !constant + !few;
}
