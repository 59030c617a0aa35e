// A state that nothing changes leads around the loop to the same case of the switch: jump threading has no edge left to copy there.
#include <stdio.h>

static int calls;

__attribute__((noinline)) static int call(int n)
{
    calls += n;
    return calls % 3;
}

__attribute__((noinline)) static int get(void) { return 9; }

__attribute__((noinline)) static int decode(const unsigned char *s, const unsigned char *e, int x)
{
    int r = 0, h = 0;
    while (s < e) {
        if (*s < 128) {
            r++;
            ++s;
            continue;
        }
        if (h == 0)
            h = x == 'i' ? 4 : x == 'r' ? 3 : get();
        switch (h) {
        case 4:
            ++s;
            break;
        case 3:
        case 5:
            r += call(r);
            if (h == 3)
                r += 8;
            else
                r++;
            ++s;
            break;
        default:
            r += call(5);
            s += call(2) + 1;
        }
    }
    return r;
}

int main(void)
{
    static const unsigned char text[] = "ab\200\201\202c\377d\301\302ef";
    static const char kinds[] = "irx";
    for (int i = 0; i < 3; i++)
        for (int n = 0; n < (int)sizeof text - 3; n++)
            printf("%d%c", decode(text, text + n, kinds[i]), n + 1 < (int)sizeof text - 3 ? ' ' : '\n');
    printf("%d\n", calls);
    return 0;
}
