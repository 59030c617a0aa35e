// The user of a comparison may be in an end that blocks share; no prologue may come between the two.
#include <stdio.h>

long fuel;
int sum = 3;
int cells[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

__attribute__((noinline)) int cell(long i)
{
    return cells[i & 15];
}

__attribute__((noinline)) _Bool walk(int n, long a, unsigned long b, int *p, int *q, long c)
{
    if (--fuel < 0)
        return cell(1);
    *q += sum;
    if (n <= 0)
        return n >> 2;
    if (n == 77)
        return *p;
    if (a)
        return walk(n - 1, c, b, q, q, cell(b));
    _Bool result = walk(n - 1, *p ^ cell(a), 0, p, q, a);
    return result & 255;
}

int main(void)
{
    for (int n = -5; n < 12; n++) {
        fuel = 8;
        printf("%d%c", walk(n, n & 1, 3, &cells[7], &cells[13], 0), n == 11 ? '\n' : ' ');
    }
    return 0;
}
