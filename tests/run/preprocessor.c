#include <stdio.h>

#define STR(x) #x
#define XSTR(x) STR(x)
#define CAT(a, b) a##b
#define XCAT(a, b) CAT(a, b)
#define ONE 1
#define ADD(a, b) ((a) + (b))
#define VAR(fmt, ...) printf(fmt, ##__VA_ARGS__)
#define OPT(fmt, ...) printf(fmt __VA_OPT__(, ) __VA_ARGS__)
#define NAMED(args...) printf(args)
#define EMPTY()
#define DEFER(m) m EMPTY()
#define REC(x) x REC
#define SELF SELF
#define COUNT(...) COUNT_(__VA_ARGS__, 5, 4, 3, 2, 1)
#define COUNT_(a, b, c, d, e, n, ...) n
#define LIST(X) X(a, 1) X(b, 2) X(c, 3)
#define ENUM(n, v) n = v,
#define SHOW(n, v) printf(#n "=%d ", n);

enum { LIST(ENUM) };

#if defined(ONE) && ONE == 1 && !defined UNDEFINED && (2 * 3 == 6) && 'a' == 97 && -1 < 0u == 0
#define BRANCH "taken"
#elif 1
#define BRANCH "elif"
#else
#error wrong
#endif

#if 0
this is ' not lexed "
#elif defined STR
#define SECOND 1
#endif

#ifdef __INT_MAX__
#if __INT_MAX__ == 2147483647
#define INTS 1
#endif
#endif

#undef ONE
#ifndef ONE
#define ONE 11
#endif

#if __has_include(<stdio.h>) && !__has_include("nothing-here.h")
#define HAS 1
#endif

int main(void) {
  int SELF = 4;
  printf("%s %s %s\n", STR(a + "b\n"), XSTR(ADD(ONE, 2)), XSTR(XCAT(x, ONE)));
  VAR("none\n");
  VAR("%d\n", 5);
  OPT("opt\n");
  OPT("%d %d\n", 6, 7);
  NAMED("%s\n", "named");
  LIST(SHOW)
  printf("\n%s %d %d %d\n", BRANCH, SECOND, INTS, HAS);
  printf("%d %d\n", COUNT(x), COUNT(x, y, z));
  printf("%d %s\n", __LINE__, __FILE__ + sizeof(__FILE__) - sizeof("preprocessor.c"));
#line 100 "other.c"
  printf("%d %s\n", __LINE__, __FILE__);
  printf("%d\n", __COUNTER__ + __COUNTER__);
  printf("%d\n", ADD(ADD(1, 2), ADD(3, 4)));
  printf("%s\n", XSTR(DEFER(ADD)(1, 2)));
  printf("%d\n", SELF);
  printf("%s%s\n", STR(), STR(  spaced   out  ));
  _Pragma("GCC diagnostic push") printf("%d\n", XCAT(1, 2)); _Pragma("GCC diagnostic pop")
  printf("%ld %d\n", __STDC_VERSION__ >= 201112L ? 1L : 0L, __STDC__);
  return 0;
}
