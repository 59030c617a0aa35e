// lli: it does not resolve indirect functions
// What gcc computes in static initialisers: comparisons of addresses, elements of string literals.
#include <stdio.h>

#define LOWER(c) ((c) | 0x20)
#define WORD(s) (s[1] ? s[2] ? (LOWER(s[0]) << 16) + (LOWER(s[1]) << 8) + LOWER(s[2]) : (LOWER(s[0]) << 8) + LOWER(s[1]) : LOWER(s[0]))

extern int a, b[4];
int same = &a == &a, other = &a == b, differ = &a != &b[0], function = (void *)&same == (void *)printf;
static const unsigned word = WORD("The"), shorter = WORD("On");
static int high = "\xe9"[0], end = sizeof "abc" + "abc"[3];
static struct { char c; int n; } pairs[] = {{"xyz"[1], "hello"[4]}, {"q"[0], 0["r"]}};
int a, b[4];

__attribute__((target_clones("avx2", "default"))) int cloned(int x) { return x * 3; }

int main(void)
{
    printf("%d %d %d %d\n", same, other, differ, function);
    printf("%x %x %d %d\n", word, shorter, high, end);
    printf("%c%c%c%c\n", pairs[0].c, pairs[0].n, pairs[1].c, pairs[1].n);
    printf("%d\n", cloned(5));
    return 0;
}
