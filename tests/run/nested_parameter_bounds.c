// Bounds of a nested function's parameters use and change the enclosing function's variables, once at each call.
#include <stdio.h>

static void sizes(int n) {
    int step = 1;
    unsigned long columns(int a[][n += step], int rows) {
        unsigned long row = sizeof a[0] / sizeof(int);
        a[rows - 1][row - 1] = (int)row;
        return row;
    }
    unsigned long deeper(int m) {
        int square(int b[2][n * m]) { return (int)(sizeof b[0] / sizeof(int)); }
        int b[2][n * m];
        return square(b);
    }
    int room[8][16];
    unsigned long first = columns((void *)room, 2), second = columns((void *)room, 2);
    step = 3;
    unsigned long third = columns((void *)room, 3);
    printf("%lu %lu %lu %d %d\n", first, second, third, n, ((int *)room)[3 * n - 1]);
    printf("%lu\n", deeper(2));
}

int main(void) {
    sizes(1);
    sizes(4);
    return 0;
}
