// flags: -Wwrite-strings
// `__builtin_types_compatible_p` does not ask for qualifiers at the top, which for arrays are those
// of the elements (libcurl's checks of literals, which -Wwrite-strings makes `const`).
#include <stdio.h>

#define SAME(a, b) __builtin_types_compatible_p(a, b)

typedef char open_text[], four[4];
typedef const char fixed_three[3], fixed_rows[2][3];
typedef char open_rows[][3];
typedef const int fixed_pair[2];
typedef volatile int volatile_pair[2];
typedef fixed_pair *to_fixed;
typedef volatile_pair *to_volatile;
typedef const int fixed_int;
typedef volatile int volatile_int;
typedef char *pointers[2];
typedef const char *fixed_pointers[2];

int main(void)
{
    printf("%d%d%d%d\n", SAME(fixed_three, open_text), SAME(fixed_rows, open_rows), SAME(fixed_pair, volatile_pair),
           SAME(volatile_int, fixed_int));
    printf("%d%d%d\n", SAME(fixed_pointers, pointers), SAME(to_fixed, to_volatile), SAME(fixed_three, four));
    printf("%d\n", SAME(__typeof__("text"), open_text));
}
