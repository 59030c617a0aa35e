/* Loads at indices and addresses that a branch chooses, of which the paths have loaded or stored some. */
#include <stdio.h>

static void heap_sort(int n, double *a)
{
    int l = n / 2 + 1, ir = n;
    for (;;) {
        double x;
        if (l > 1)
            x = a[--l];
        else {
            x = a[ir];
            a[ir] = a[1];
            if (--ir == 1) {
                a[1] = x;
                return;
            }
        }
        int i = l, j = l * 2;
        while (j <= ir) {
            if (j < ir && a[j] < a[j + 1])
                ++j;
            if (x < a[j]) {
                a[i] = a[j];
                j += (i = j);
            } else
                j = ir + 1;
        }
        a[i] = x;
    }
}

static int larger_below(const unsigned char *a, unsigned char i, int n)
{
    int sum = 0;
    for (; n--; i += 3) {
        unsigned char j = i;
        if (a[j] < a[(unsigned char)(j + 1)])
            j++; /* 255 is followed by 0 */
        sum += a[j] * (n + 1);
    }
    return sum;
}

static unsigned through(int *a, int *b, int *written, int n)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++) {
        int *p = a;
        if (*a < *b) {
            *written += 3;
            p = b;
        } else if (*b & 1)
            *a -= i;
        sum = sum * 3 + *p;
        *b += i & 3;
    }
    return sum;
}

struct pair {
    int key;
    float weight;
};

static float heaviest(struct pair *p, int n)
{
    float sum = 0;
    for (int i = 0; i + 2 < n; i++) {
        int j = i;
        if (p[i].key > 2 && p[j].weight < p[j + 1].weight)
            j++;
        else if (p[i].key == 1)
            p[i + 1].weight += 2;
        sum += p[j].weight;
    }
    return sum;
}

int main(void)
{
    enum { N = 300 };
    static double a[N + 1];
    static unsigned char bytes[256];
    static struct pair pairs[N];
    unsigned seed = 7;
    for (int i = 1; i <= N; i++) {
        seed = seed * 1103515245 + 12345;
        a[i] = (seed >> 8) % 1000 / 8.0;
        bytes[i % 256] = seed >> 16;
        pairs[i - 1] = (struct pair){ (seed >> 12) % 6, (seed >> 20) % 50 };
    }
    heap_sort(N, a);
    int sorted = 1;
    for (int i = 2; i <= N; i++)
        sorted &= a[i - 1] <= a[i];
    printf("%d %.3f %.3f %.3f\n", sorted, a[1], a[N / 2], a[N]);
    printf("%d\n", larger_below(bytes, 0, 1000));
    int x = 5, y = 9, z = 0;
    printf("%u ", through(&x, &y, &z, 20));
    printf("%u ", through(&x, &y, &x, 20));
    printf("%u ", through(&x, &y, &y, 20));
    printf("%u\n", through(&x, &x, &x, 20));
    printf("%.2f\n", heaviest(pairs, N));
    return 0;
}
