// flags: -std=gnu90
// Selection and iteration statements are no blocks of their own in C90: what their headers declare lives on.
#include <stdio.h>

enum { A = 1, B = 1, C = 1 };

int main(void) {
  if (sizeof(enum { A = 2 }) != 4) return 1;
  switch (sizeof(enum { B = 3 })) default: break;
  while (sizeof(enum { C = 4 }) != 4) ;
  printf("%d %d %d\n", A, B, C);
  return 0;
}
