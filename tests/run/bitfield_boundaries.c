/* Zero-width bit-fields end at a boundary of their type, also where `#pragma pack` or `packed` moves everything else together. */
#include <stdio.h>
#include <string.h>
#pragma pack(1)
#define TEST(decl) { typedef struct decl S; S s; memset(&s, 0, sizeof s); s.a = -1; s.b = -1; printf("%zu %zu:", sizeof(S), _Alignof(S)); for (unsigned i = 0; i < sizeof s; i++) printf(" %02x", ((unsigned char*)&s)[i]); puts(""); }
void f(void) {
 TEST({ int a : 5; int : 0; char b; })
 TEST({ int a : 5; char : 0; int b : 3; })
 TEST({ int a : 5; short : 0; int b : 9; })
 TEST({ char c; int a : 5; int : 0; int b : 9; })
 TEST({ char c; int a : 5; long long : 0; int b : 9; })
 TEST({ int a : 5; int : 0; int b : 9; int : 0; })
 TEST({ int a : 5; int : 0; int b : 9; int : 0; char x; })
}
#pragma pack()
#pragma pack(2)
void g(void) {
 TEST({ int a : 5; int : 0; char b; })
 TEST({ char c; int a : 5; int : 0; int b : 9; })
 TEST({ char c; int a : 5; long long : 0; int b : 9; })
}
#pragma pack()
#undef TEST
#define TEST(decl) { typedef struct __attribute__((packed)) decl S; S s; memset(&s, 0, sizeof s); s.a = -1; s.b = -1; printf("%zu %zu:", sizeof(S), _Alignof(S)); for (unsigned i = 0; i < sizeof s; i++) printf(" %02x", ((unsigned char*)&s)[i]); puts(""); }
void h(void) {
 TEST({ int a : 5; int : 0; char b; })
 TEST({ char c; int a : 5; int : 0; int b : 9; })
 TEST({ char c; int a : 5; long long : 0; int b : 9; })
 TEST({ int a : 5; int : 0; int b : 9; int : 0; })
 TEST({ int a : 5; int : 0; int b : 9; int : 0; char x; })
}
int main(void) { f(); puts(""); g(); puts("");h(); return 0; }
