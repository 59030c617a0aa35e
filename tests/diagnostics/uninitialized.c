// flags: -c -O2 -Wall
int step(int), fill(int *), use(int), ready;
void *next(void *);

int certain(void) {
  int a;
  return a;
}

int by_condition(int c) {
  int a;
  if (c)
    a = step(1);
  return a;
}

int no_round(int n) {
  int last;
  for (int i = 0; i < n; i++)
    last = step(i);
  return last + 1;
}

int sum(const int *v) {
  int total;
  for (int i = 0; i < 10; i++)
    total += v[i];
  return total;
}

int missing_case(int kind) {
  int value;
  switch (kind) {
  case 1: value = step(1); break;
  case 2: value = step(2); break;
  }
  return value;
}

int always_used(int c, int *p) {
  int *q;
  if (c)
    *q = 1;
  return *p;
}

int quiet_same_condition(int c, int n) {
  int a;
  if (c && n > 3)
    a = step(n);
  step(0);
  if (c && n > 3)
    return a;
  return 0;
}

int quiet_flag(int n) {
  int a, have = 0;
  for (int i = 0; i < n; i++)
    if (step(i)) {
      a = i;
      have = 1;
    }
  return have ? a : -1;
}

int quiet_implied(unsigned n) {
  int a;
  if (n >= 4)
    a = step(1);
  if (n > 8)
    return a;
  return 0;
}

int quiet_at_least_once(void) {
  int a;
  for (int i = 0; i < 3; i++)
    a = step(i);
  return a;
}

int quiet_cases(int kind) {
  int a;
  switch (kind) {
  case 1:
  case 2: a = step(1); break;
  case 7: a = step(2); break;
  default: break;
  }
  if (kind == 2 || kind == 7)
    return a;
  return 0;
}

int quiet_address(void) {
  int a;
  if (fill(&a))
    return 0;
  return a;
}

int quiet_self(void) {
  int a = a;
  return a;
}

int quiet_memory(void) {
  int a;
  if (ready)
    a = step(1);
  use(2);
  if (ready)
    return a;
  return 0;
}

int quiet_constant(int c) {
  int a;
  if (c)
    a = 1;
  return a;
}

int quiet_error(int n) {
  int a, error = 0;
  if (n < 0) {
    error = -1;
    goto out;
  }
  a = step(n);
out:
  if (error == 0)
    use(a);
  return error;
}

// Functions of the unit that never return end a way; those that may return do not.
void exit(int) __attribute__((noreturn));
int puts(const char *);
static void usage(const char *text) {
  puts(text);
  exit(2);
}
static void usage_of(const char *text) {
  if (text)
    usage(text);
  else
    usage("?");
}
static void maybe_usage(const char *text) {
  if (text)
    usage(text);
}
int chosen(int n) {
  int value;
  switch (n) {
  case 1: value = 3 * step(n); break;
  case 2: value = step(n); break;
  default: usage_of("chosen");
  }
  return value;
}
int perhaps_chosen(int n, const char *text) {
  int other;
  switch (n) {
  case 1: other = 3 * step(n); break;
  case 2: other = step(n); break;
  default: maybe_usage(text);
  }
  return other;
}
// What a variable's address was given to may have set it, where some way leads by there.
int fill_or_not(int n) {
  int value;
  if (n == 1)
    fill(&value);
  else if (n == 2)
    puts("two");
  else
    return 0;
  return value;
}
int filled_later(int n) {
  int value;
  if (n == 1)
    value = step(n);
  else if (n == 2)
    puts("two");
  else
    return 0;
  int seen = value;
  fill(&value);
  return seen + value;
}
#pragma GCC diagnostic ignored "-Wuninitialized"
int quiet_pragma(int c) {
  int a;
  if (c)
    return a;
  int b;
  return b;
}
