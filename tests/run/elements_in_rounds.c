// Fields of one element are apart in one round of a loop; in the next round the same name is another place.
#include <stdio.h>

struct point { int x, y, z; };

__attribute__((noinline)) static int fields(struct point *p, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        struct point *q = &p[i];
        q->x += 1;
        q->y += q->x;
        q->z += q->y;
        if (q->x > 3 || q->y < 2) q->z -= q->x;
        sum += q->x + q->y + q->z;
    }
    return sum;
}

__attribute__((noinline)) static void running(int *a, int n) {
    for (int i = 0; i < n; i++) {
        int *q = a + i * 2;
        q[2] = q[0] + 3;
        q[1] = q[2];
        q[3] = q[1] + q[0];
    }
}

__attribute__((noinline)) static int moving(int *q, int n) {
    int last = 0;
    while (n-- > 0) {
        last += q[0];
        q[1] = last + 1;
        q++;
    }
    return last;
}

__attribute__((noinline)) static int through(int **rows, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int *q = rows[i];
        sum += q[0];
        q[1] = sum;
        q[2] = sum + 1;
    }
    return sum;
}

__attribute__((noinline)) static int inner(struct point *p, int n, int m) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        struct point *q = &p[i];
        q->x = i;
        for (int j = 0; j < m; j++) {
            q->y += j;
            p[j].z += q->x;
            sum += q->x + q->z;
        }
        sum += q->x;
    }
    return sum;
}

int main(void) {
    struct point p[6] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {-1, -2, -3}, {0, 0, 0}, {9, 9, 9}};
    printf("%d\n", fields(p, 6));
    printf("%d\n", inner(p, 5, 6));
    int a[20] = {5, 1, 1};
    running(a, 8);
    for (int i = 0; i < 18; i++) printf("%d ", a[i]);
    printf("\n%d\n", moving(a, 12));
    int *rows[6];
    for (int i = 0; i < 6; i++) rows[i] = a + i;
    printf("%d %d\n", through(rows, 6), a[7]);
    return 0;
}
