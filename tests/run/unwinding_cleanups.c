// flags: -fexceptions
// interpreter: unwinding
// llvm: the list of cleanups
/* Variables with a cleanup while the stack is unwound: innermost first, only those whose scopes are open, through inlined functions. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

static jmp_buf caught;
static char *catcher;
static struct _Unwind_Exception exception;

static _Unwind_Reason_Code stop(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                struct _Unwind_Exception *e, struct _Unwind_Context *context, void *data) {
  if ((actions & _UA_END_OF_STACK) || (char *)_Unwind_GetCFA(context) > catcher) longjmp(caught, 1);
  return _URC_NO_REASON;
}

__attribute__((noinline)) static void raise_it(int really) {
  if (really) _Unwind_ForcedUnwind(&exception, stop, 0);
}

static void said(const int *p) { printf(" %d", *p); }
static void said_text(char (*p)[8]) { printf(" %s", *p); }
#define CLEANED __attribute__((cleanup(said)))

__attribute__((noinline)) static int nested_scopes(int when) {
  int total = 0;
  raise_it(when == 0);
  CLEANED int a = 1;
  raise_it(when == 1);
  {
    CLEANED int b = 2;
    raise_it(when == 2);
    { CLEANED int c = 3; a += 10; raise_it(when == 3); }
    total += b;
    raise_it(when == 4);
  }
  CLEANED int d = 4;
  for (int i = 0; i < 3; i++) {
    CLEANED int e = 50 + i;
    if (i == 1 && when == 5) continue;
    raise_it(when == 5 + i);
    if (i == 1 && when == 8) break;
    if (i == 1 && when == 9) goto out;
  }
  raise_it(when == 8);
out:
  raise_it(when == 9);
  return total + a;
}

static inline int leaf(int n, int when) {
  CLEANED int inner = 100 + n;
  raise_it(when == n);
  return inner;
}
__attribute__((noinline)) static int through_inlined(int when) {
  CLEANED int outer = 7;
  int sum = leaf(1, when);
  {
    CLEANED int middle = 8;
    sum += leaf(2, when);
  }
  return sum + leaf(3, when);
}

__attribute__((noinline)) static int arrays(int n, int when) {
  char text[8] __attribute__((cleanup(said_text)));
  strcpy(text, "fixed");
  int total = 0;
  for (int i = 1; i <= n; i++) {
    char space[i * 100];
    memset(space, i, sizeof space);
    CLEANED int last = i;
    strcat(text, "+");
    raise_it(i == when);
    total += space[i * 100 - 1];
  }
  return total;
}

__attribute__((noinline)) static int after_setjmp(int when) {
  jmp_buf here;
  CLEANED int outer = 20;
  if (setjmp(here) == 0) {
    CLEANED int inner = 21;
    longjmp(here, 1);
  }
  raise_it(when);
  return outer;
}

__attribute__((noinline)) static int captured(int n, int when) {
  int sum = n;
  void add(const int *p) { sum += *p; printf(" sum %d", sum); }
  int one __attribute__((cleanup(add))) = 1;
  int other __attribute__((cleanup(add))) = sum;
  raise_it(when);
  return sum;
}

/* What a cleanup throws replaces what was on the way; the rest of the cleanups run. */
static void throws(const int *p) {
  printf(" throws %d", *p);
  raise_it(*p > 0);
}
__attribute__((noinline)) static int rethrown(int when) {
  CLEANED int a = 1;
  int b __attribute__((cleanup(throws))) = when;
  CLEANED int c = 3;
  return c;
}

__attribute__((noinline)) static double registers(double x, int when) {
  double a = x * 2, b = x * 3;
  CLEANED int i = (int)a;
  raise_it(when);
  return a + b;
}

#define TRY(call)                                 \
  do {                                            \
    memset(&exception, 0, sizeof exception);      \
    catcher = __builtin_frame_address(0);         \
    printf("%s:", #call);                         \
    if (setjmp(caught)) printf(" caught\n");      \
    else { int r = call; printf(" = %d\n", r); } \
  } while (0)

__attribute__((noinline)) static void all(void) {
  for (volatile int when = 0; when < 11; when++) TRY(nested_scopes(when));
  for (volatile int when = 0; when < 4; when++) TRY(through_inlined(when));
  for (volatile int when = 0; when < 3; when++) TRY(arrays(2, when));
  TRY(after_setjmp(1));
  TRY(after_setjmp(0));
  TRY(captured(5, 1));
  TRY(captured(5, 0));
  TRY(rethrown(0));
  TRY(rethrown(1));
  TRY(registers(1.5, 1));
  TRY(registers(1.5, 0));
}

int main(void) {
  all();
  return 0;
}
