// Loads at places that other loads name, in loops that become vectors.
#include <stdio.h>
#include <string.h>

#define N 67

static float a[N], b[N], c[N];
static double da[N], db[N];
static int ia[N], ib[N], index32[N];
static long index64[N], la[N], lb[N];
static unsigned short index16[N];
static signed char index8[N];

static void prepare(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = 3 * i - 7;
        c[i] = 2;
        da[i] = i;
        db[i] = 5 * i + 1;
        ia[i] = i;
        ib[i] = 11 * i - 100;
        la[i] = i;
        lb[i] = 1000L * i;
        index32[i] = (i * 29 + 5) % N;
        index64[i] = (i * 31 + 2) % N;
        index16[i] = (i * 37 + 3) % N;
        index8[i] = (i * 41 + 1) % N;
    }
}

static double sum(void)
{
    double result = 0;
    for (int i = 0; i < N; i++)
        result = result * 1.0625 + a[i] + da[i] * 3 + ia[i] * 7.0 + la[i] + b[i] * 0.5 + index32[i];
    return result;
}

__attribute__((noinline)) static void floats(int *restrict at, float s)
{
    for (int i = 0; i < N; i++)
        a[i] += b[at[i]] * s;
}

__attribute__((noinline)) static void doubles(long n)
{
    for (long i = 0; i < n; i++)
        da[i] = db[index64[i]] - da[i];
}

__attribute__((noinline)) static void integers(void)
{
    for (int i = 0; i < N; i++)
        ia[i] = ib[index16[i]] + 3;
    for (int i = 0; i < N; i++)
        la[i] = lb[index8[i]] ^ i;
}

__attribute__((noinline)) static void computed(void)
{
    for (int i = 0; i < N; i++)
        a[i] = b[i] + c[i / 2] * b[(i * i) % N];
    for (int i = N - 1; i >= 0; i--)
        ia[i] += ib[(i * 5 + 3) & 63];
    for (unsigned i = 0; i < N; i++)
        da[i] = db[N - 1 - index32[i]] + db[i >> 2];
}

// What is stored is in the table.
__attribute__((noinline)) static void into_table(void)
{
    for (int i = 0; i < N; i++)
        b[i] = b[index32[i]] + 1;
}

// What is stored is an index: before its element is read from the table, or behind.
__attribute__((noinline)) static void into_indices(void)
{
    for (int i = 0; i < N; i++) {
        int at = index32[i];
        index32[i] = N - 1 - at;
        a[i] = b[at];
    }
    for (int i = 0; i + 1 < N; i++) {
        ia[i] = ib[index32[i]];
        index32[i + 1] = i;
    }
}

__attribute__((noinline)) static void anywhere(float *to, const float *from, const int *at, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = from[at[i]];
}

__attribute__((noinline)) static void some(void)
{
    for (int i = 0; i < N; i++)
        if (index32[i] > 20)
            a[i] = b[index32[i]];
}

int main(void)
{
    prepare();
    floats(index32, 0.5f);
    printf("%.6f\n", sum());
    doubles(N - 2);
    printf("%.6f\n", sum());
    integers();
    printf("%.6f\n", sum());
    computed();
    printf("%.6f\n", sum());
    into_table();
    printf("%.6f\n", sum());
    prepare();
    into_indices();
    printf("%.6f\n", sum());
    prepare();
    anywhere(a + 1, a, index32, N - 1);
    printf("%.6f\n", sum());
    some();
    printf("%.6f\n", sum());
    return 0;
}
