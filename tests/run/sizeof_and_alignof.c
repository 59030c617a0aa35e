#include <stdio.h>

int f(void);
struct incomplete;

int main(void) {
  int i = 0, arr[7], m[2][3];
  printf("%zu %zu %zu %zu %zu %zu %zu\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long), sizeof(long long), sizeof(float), sizeof(double));
  printf("%zu %zu %zu %zu\n", sizeof(long double), sizeof(void *), sizeof(_Bool), sizeof(__int128));
  printf("%zu %zu %zu %zu\n", sizeof arr, sizeof m[0], sizeof &arr, sizeof *arr);
  printf("%zu %d\n", sizeof(i++), i);
  printf("%zu %zu %zu\n", sizeof('a'), sizeof 1.0f, sizeof(1 ? 1 : 2.0));
  printf("%zu %zu\n", sizeof(f()), sizeof(struct incomplete *));
  printf("%zu %zu %zu\n", _Alignof(int), _Alignof(long double), __alignof__(char[4]));
  printf("%zu\n", sizeof(struct { char c; int x[]; }));
  printf("%zu %zu\n", sizeof((char)1 + (char)2), sizeof(1L << 2));
  printf("%zu\n", sizeof(int[3][4]) / sizeof(int));
  printf("%zu %zu\n", sizeof "string", sizeof(char[sizeof(int)]));
  return 0;
}
