// Offsets in arrays whose elements have a variable size.
#include <stddef.h>
#include <stdio.h>

static size_t element(int n, int i, int j)
{
    typedef int row[n];
    struct s { int a; row b[n]; };
    return offsetof(struct s, b[i][j]);
}

static size_t constant(int n)
{
    struct s { char a; short b[3][n]; char c; };
    return offsetof(struct s, b[2][1]) * 100 + offsetof(struct s, c);
}

int main(void)
{
    printf("%zu %zu %zu\n", element(5, 2, 3), element(5, 5, 5), constant(7));
    return 0;
}
