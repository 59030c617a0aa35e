// Ends of blocks that are equal are shared by the code generator: returns, error paths, cleared registers, tail calls, loops.
#include <stdio.h>
#include <stdlib.h>

static unsigned trace;
__attribute__((noinline)) static int step(int x) { trace = trace * 31 + x; return x; }
__attribute__((noinline)) static void report(const char *what, int n) { printf("%s %d\n", what, n); }

__attribute__((noinline)) static int compare(const int *a, const int *b, int depth)
{
    if (!a || !b) return a == b ? 0 : 2;
    if (a[0] != b[0]) return 2;
    if (step(a[1]) != step(b[1])) return 2;
    if (depth > 3 && step(a[2]) > b[2]) return 1;
    if (step(a[3]) != b[3]) return 2;
    if (a[4] > b[4]) { report("more", a[4]); step(7); return 1; }
    if (a[4] < b[4]) { report("less", b[4]); step(7); return 1; }
    return 0;
}

__attribute__((noinline)) static int flags(int a, int b, int which)
{
    switch (which) {
    case 0: step(1); return a < b;
    case 1: step(2); return a < b;
    case 2: step(1); return a > b;
    case 3: step(3); return (unsigned)a < (unsigned)b;
    case 4: step(4); return step(a) < b;
    case 5: step(5); return step(a) < b;
    case 6: return a == b;
    default: step(6); return a == b;
    }
}

__attribute__((noinline)) static int tail(int a)
{
    if (a == 1) { trace += 2; return step(9); }
    if (a == 2) { trace += 5; return step(9); }
    if (a == 3) { trace += 2; return step(9); }
    if (a == 4) abort();
    if (a == 5) { report("five", a); return step(8); }
    return step(a);
}

__attribute__((noinline)) static double mixed(double x, int n)
{
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0) { x = x * 2.0 + 1.5; trace ^= i; continue; }
        if (i % 3 == 1) { x = x * 2.0 + 1.5; trace ^= i; continue; }
        if (x > 1e6) { report("big", i); trace = 1; return x * 2.5; }
        if (x < -1e6) { report("small", i); trace = 1; return x * 2.5; }
        x -= 1;
    }
    return x * 2.5;
}

int main(void)
{
    int a[] = {1, 2, 3, 4, 5}, b[] = {1, 2, 3, 4, 6}, c[] = {1, 2, 2, 4, 5}, d[] = {1, 2, 3, 9, 5}, e[] = {0};
    int *all[] = {a, b, c, d, 0, e};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            if (!(all[i] == e && all[j] == e)) printf("%d", compare(all[i], all[j], i + j));
    printf("\n");
    for (int i = 0; i < 9; i++) printf("%d%d%d ", flags(1, 2, i), flags(2, 1, i), flags(-1, 1, i));
    printf("\n");
    for (int i = 0; i < 7; i++) if (i != 4) printf("%d ", tail(i));
    printf("\n%g %g %g\n", mixed(1, 10), mixed(3, 60), mixed(-4e5, 60));
    printf("%u\n", trace);
    return 0;
}
