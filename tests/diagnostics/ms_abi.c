// Calling conventions where they do not belong.
#include <stdarg.h>

__attribute__((ms_abi)) int f(int n, ...) {
  va_list ap;
  va_start(ap, n);
  return 0;
}

int g(int n, ...) {
  __builtin_ms_va_list ap;
  __builtin_ms_va_start(ap, n);
  return 0;
}

__attribute__((ms_abi, sysv_abi)) int h(int);
char *p;

int k(void) { return __builtin_va_arg(p, int); }

__attribute__((ms_abi)) int variable;
int again(int);
__attribute__((ms_abi)) int again(int);
__attribute__((ms_abi)) int function(int);
int (*pointer)(int) = function;
__attribute__((ms_abi)) int (*right)(int) = function;
