// flags: -w -funsigned-bitfields -fallow-parameterless-variadic-functions -std=gnu17
// Less common things that gcc accepts, and what they mean.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* plain bit-fields are unsigned under the option */
typedef int plain;
typedef signed int with_sign;
struct bits { int a : 3; signed b : 3; plain c : 4; with_sign d : 4; long e : 5; unsigned f : 2; };

/* the stricter alignment of a typedef that is declared again */
typedef int again;
typedef int again __attribute__((aligned(32)));
typedef int again __attribute__((aligned(64)));
typedef int again;
struct holds { char c; again a; };

/* no semicolon behind the last member */
struct outer { int first; struct { int inner; } };

static int unnamed(...) { return 7; }

extern int printf_like(const char *, ...);
int counted(const char *format, ...);
int counted(format) const char *format; { return (int)strlen(format); }

int main(void) {
  struct bits b = {-1, -1, -1, -1, -1, -1};
  printf("%d %d %d %d %d %d\n", b.a, b.b, b.c, b.d, (int)b.e, b.f);
  printf("%d %d %d\n", (int)_Alignof(again), (int)sizeof(struct holds), (int)sizeof(struct outer));
  struct outer o = {1, {2}};
  printf("%d %d %d\n", o.inner, unnamed(), counted("four", 1, 2));
  printf("%d %d\n", (int)_Alignof(_Alignas(16) char){1}, (int)_Alignof(_Alignas(8) int){1});
  return 0;
}
