// A structure with the attribute `copy` has the packing and the declared alignment of the other one, but not its natural alignment.
#include <stdio.h>

struct packed { int i; char c; } __attribute__((packed));
struct also_packed { long i; char c; } __attribute__((copy((struct packed *)0)));
struct aligned { char c; } __attribute__((aligned(8), deprecated));
struct natural { long l; };
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
struct also_aligned { short s; } __attribute__((copy((struct aligned *)0)));
struct not_aligned { short s; } __attribute__((copy((struct natural *)0)));

int main(void)
{
    printf("%zu %zu\n", sizeof(struct packed), _Alignof(struct packed));
    printf("%zu %zu\n", sizeof(struct also_packed), _Alignof(struct also_packed));
    printf("%zu %zu\n", sizeof(struct also_aligned), _Alignof(struct also_aligned));
    printf("%zu %zu\n", sizeof(struct not_aligned), _Alignof(struct not_aligned));
    return 0;
}
