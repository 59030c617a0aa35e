// lli: lli has no symbols for the ends of sections
#include <stdio.h>

struct entry {
  const char *name;
  int value;
};

#define ENTRY(n, v) static const struct entry entry_##n __attribute__((used, section("entries"))) = { #n, v }

ENTRY(alpha, 1);
ENTRY(beta, 2);
ENTRY(gamma, 3);

extern const struct entry __start_entries[], __stop_entries[];

int data __attribute__((section(".my.data"))) = 7;
__attribute__((section(".text.special"), noinline)) int special(int x) { return x * data; }
static int nobits[1000] __attribute__((section(".bss.mine"), aligned(64)));

int main(void) {
  int n = 0, letters = 0;
  for (const struct entry *e = __start_entries; e < __stop_entries; e++) {
    letters += e->name[0] * e->value;
    n++;
  }
  printf("%d\n", letters);
  printf("%d %d %d\n", n, special(3), nobits[999] + (int)((unsigned long)nobits & 63));
  return 0;
}
