/* Since C99 every selection and iteration statement, and every substatement, is a block. */
#include <stdio.h>

enum { e = 0 };

int main(void)
{
    {
        if (sizeof(enum { e = 1 }))
            printf("%d", e);
        printf("%d\n", e);
    }
    {
        if (e)
            ;
        else
            printf("%d", (int)sizeof(enum { e = 2 }) * 0 + e);
        printf("%d\n", e);
    }
    {
        switch (sizeof(enum { e = 3 })) {
        default:
            printf("%d", e);
        }
        printf("%d\n", e);
    }
    {
        while (sizeof(enum { e = 4 })) {
            printf("%d", e);
            break;
        }
        printf("%d\n", e);
    }
    {
        do
            printf("%d", e);
        while (0 * sizeof(enum { e = 5 }));
        printf("%d\n", e);
    }
    {
        for (int i = 0; i < 1; i++)
            printf("%d", (int)sizeof(struct tag { char c[7]; }));
        struct tag { char c[3]; };
        printf("%d\n", (int)sizeof(struct tag));
    }
    return 0;
}
