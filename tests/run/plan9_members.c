// flags: -fplan9-extensions
/* Unnamed members of named types: reached by the typedef's name, and by conversion of pointers. */
#include <stdio.h>

typedef struct { int id; } Base;
struct tagged { int value; };
typedef struct { long head; Base; struct tagged; union { Base *other; long number; }; } Derived;

static int a$b(void) { return 9; }
static int base_id(Base *b) { return b->id; }
static int value(const struct tagged *t) { return t->value; }
static Derived global = {1, {20}, {30}};
static Base *global_base = &global;

int main(void) {
  Derived d = {.id = 5, .value = 6, .number = 7};
  Base *b = &d, copy = d.Base;
  d.Base.id++;
  const struct tagged *t;
  t = &d;
  printf("%d %d %d %d %d\n", base_id(&d), value(&d), b == &d.Base, copy.id, t->value);
  printf("%d %d\n", global_base->id, a\u0024b());
  return 0;
}
