// checked: pointer, a misaligned pointer is used
#include <stdio.h>
#include <stddef.h>

struct packed { char a; int b; short c; double d; } __attribute__((packed));
struct part { char a; int b __attribute__((packed)); char c; };
struct aligned { char a; int b __attribute__((aligned(16))); };
typedef int int64_aligned __attribute__((aligned(64)));
struct outer { char c; struct packed p; } __attribute__((aligned(8)));
#pragma pack(push, 2)
struct two { char a; int b; long c; };
#pragma pack(1)
struct one { char a; long b; };
#pragma pack(pop)
struct normal { char a; long b; };
_Alignas(32) static char buffer[5];
static int64_aligned var;
union __attribute__((packed)) pu { int a; char b[5]; };
enum __attribute__((packed)) small { A, B, C = 200 };

static int read(struct packed *p) { return p->b + p->c; }
static int *unaligned(struct packed *p) { return (int *)(void *)&p->b; }

int main(void) {
  printf("%zu %zu %zu %zu\n", sizeof(struct packed), offsetof(struct packed, b), offsetof(struct packed, d), _Alignof(struct packed));
  printf("%zu %zu %zu %zu\n", sizeof(struct part), sizeof(struct aligned), offsetof(struct aligned, b), sizeof(struct outer));
  printf("%zu %zu %zu %zu\n", sizeof(struct two), offsetof(struct two, c), sizeof(struct one), sizeof(struct normal));
  printf("%d %d %zu %zu\n", (int)((size_t)buffer % 32), (int)((size_t)&var % 64), sizeof(union pu), sizeof(enum small));
  struct packed p = { 1, 2, 3, 4.5 }, arr[3] = { [1] = p };
  arr[2] = arr[1];
  arr[2].d *= 2;
  arr[2].b = 100000;
  printf("%d %g %d\n", read(&arr[1]), arr[2].d, read(&arr[2]));
  *unaligned(&arr[0]) = 77;
  printf("%d\n", arr[0].b);
  for (int i = 0; i < 3; i++) {
    _Alignas(64) int local = i;
    volatile int *l = &local;
    printf("%d%d ", (int)((size_t)l % 64), *l);
  }
  printf("\n");
  return 0;
}
