// A structure with the attribute `copy` has the packing and the declared alignment of the other one, but not its natural alignment.
#include <stdio.h>

struct __attribute__((packed)) packed { int i; char c; };
struct __attribute__((copy((struct packed *)0))) also_packed { long i; char c; };
struct __attribute__((aligned(8), deprecated)) aligned { char c; };
struct natural { long l; };
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
struct __attribute__((copy((struct aligned *)0))) also_aligned { short s; };
struct __attribute__((copy((struct natural *)0))) not_aligned { short s; };

int main(void)
{
    printf("%zu %zu\n", sizeof(struct packed), _Alignof(struct packed));
    printf("%zu %zu\n", sizeof(struct also_packed), _Alignof(struct also_packed));
    printf("%zu %zu\n", sizeof(struct also_aligned), _Alignof(struct also_aligned));
    printf("%zu %zu\n", sizeof(struct not_aligned), _Alignof(struct not_aligned));
    return 0;
}
