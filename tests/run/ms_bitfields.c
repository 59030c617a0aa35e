/* Bit-fields laid out as by Microsoft's compiler: sizes, alignments and the bytes of every member. */
#include <stdio.h>
#include <string.h>

#define MS __attribute__((ms_struct))
#define SHOW(type, member) \
  do { \
    type s; \
    memset(&s, 0, sizeof s); \
    s.member = -1; \
    for (unsigned i = 0; i < sizeof s; i++) printf("%02x", ((unsigned char *)&s)[i]); \
    printf(" " #type "." #member " %d %d\n", (int)sizeof(type), (int)_Alignof(type)); \
  } while (0)

struct MS mixed { int d; unsigned char a; unsigned short b : 7; char c; };
struct MS full { unsigned a : 20, b : 20; unsigned short c : 3; };
struct MS zero { unsigned short a : 3; unsigned b : 9; unsigned : 0; unsigned char c : 7; };
struct MS ignored { char a; int : 0; char b; };
struct __attribute__((ms_struct, packed)) tight { char a : 3; long b : 40; short : 0; short c : 5; };
#pragma pack(2)
struct MS limited { char a; long b : 3; int c; };
#pragma pack()
struct MS asked { int a : 2; __attribute__((aligned(8))) int b : 2; int c : 28; __attribute__((aligned(16))) int d : 2; };
union MS either { long a : 3; short b : 9; };
struct __attribute__((gcc_struct)) native { int d; unsigned char a; unsigned short b : 7; char c; };

int main(void) {
  SHOW(struct mixed, b); SHOW(struct mixed, c);
  SHOW(struct full, b); SHOW(struct full, c);
  SHOW(struct zero, b); SHOW(struct zero, c);
  SHOW(struct ignored, b);
  SHOW(struct tight, b); SHOW(struct tight, c);
  SHOW(struct limited, b); SHOW(struct limited, c);
  SHOW(struct asked, b); SHOW(struct asked, d);
  SHOW(union either, a); SHOW(union either, b);
  SHOW(struct native, c);
  return 0;
}
