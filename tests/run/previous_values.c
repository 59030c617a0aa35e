// Values that the iteration after needs: of one and of two iterations before, of several types,
// where they are computed before and after what needs them.
#include <stdio.h>

#define SIZE 80
#define KERNEL static __attribute__((noinline))

static float a[SIZE], b[SIZE], c[SIZE];
static double p[SIZE], q[SIZE];
static int k[SIZE], m[SIZE];
static short s[SIZE];
static unsigned char bytes[SIZE];
static long wide[SIZE];

KERNEL float loaded(int n) {
    float x = b[n + 1];
    for (int i = 0; i < n; i++) {
        a[i] = (b[i] + x) * 0.5f;
        x = b[i];
    }
    return x;
}

KERNEL float two(int n) {
    float x = b[n + 1], y = b[n + 2];
    for (int i = 0; i < n; i++) {
        a[i] = b[i] + x * 2 + y * 4;
        y = x;
        x = b[i];
    }
    return x + y * 3;
}

KERNEL float computed(int n) {
    float t = 3;
    for (int i = 0; i < n; i++) {
        float product = b[i] * c[i];
        a[i] = product + t;
        t = product;
    }
    return t;
}

KERNEL double doubles(int n) {
    double t = 1, last = 0;
    for (int i = 0; i < n; i++) {
        double sum = p[i] + q[i];
        q[i] = sum - t;
        last = t;
        t = sum;
    }
    return t * 2 + last;
}

KERNEL int integers(int n) {
    int t = 5, u = 7;
    for (int i = 0; i < n; i++) {
        int value = k[i] * 3 + i;
        m[i] = value - t + u;
        u = k[i];
        t = value;
    }
    return t ^ u;
}

KERNEL long narrow(int n) {
    int t = 1000;
    for (int i = 0; i < n; i++) {
        k[i] = bytes[i] - t;
        t = bytes[i];
    }
    return t;
}

KERNEL int shorts(int n) {
    short t = -5;
    for (int i = 0; i < n; i++) {
        short now = s[i];
        s[i] = now - t;
        t = now;
    }
    return t;
}

KERNEL int chosen(int n) {
    int t = 9;
    for (int i = 0; i < n; i++) {
        int now = k[i] > 20 ? k[i] : m[i];
        wide[i] = t;
        m[i] = now + t;
        t = now;
    }
    return t;
}

KERNEL int number(int n) {
    int t = n * 2;
    for (int i = 0; i < n; i++) {
        m[i] = t;
        t = i;
    }
    return t;
}

KERNEL float sums(int n) {
    float t = 0;
    for (int i = 0; i < n; i++) {
        a[i] = t;
        t = t + b[i];
    }
    return t;
}

KERNEL int partial(int n) {
    int sum = 0, before = 4;
    for (int i = 0; i < n; i++) {
        m[i] = before;
        before = sum;
        sum += k[i];
    }
    return sum + before;
}

KERNEL int exchanged(int n) {
    int x = 1, y = 2;
    for (int i = 0; i < n; i++) {
        m[i] = x;
        int old = x;
        x = y;
        y = old;
    }
    return x;
}

KERNEL float later(int n) {
    float t = 2;
    for (int i = 0; i < n; i++) {
        a[i] = t * c[i];
        t = b[i] + a[i];
    }
    return t;
}

KERNEL int counted_down(int n) {
    int t = 3;
    for (int i = n; i > 0; i--) {
        m[i] = k[i] + t;
        t = k[i];
    }
    return t;
}

KERNEL int minimum(int n) {
    int least = 1000, before = 0;
    for (int i = 0; i < n; i++) {
        int value = k[i] ^ 21;
        if (value - before < least)
            least = value - before;
        before = value;
    }
    return least + before;
}

KERNEL float known(void) {
    float x = 1;
    for (int i = 0; i < 64; i++) {
        a[i] = b[i] - x;
        x = b[i];
    }
    return x;
}

static void fill(void) {
    for (int i = 0; i < SIZE; i++) {
        a[i] = 0, b[i] = i * 3 % 17, c[i] = i % 5 + 1;
        p[i] = i * 2, q[i] = 40 - i;
        k[i] = i * 7 % 41, m[i] = i, s[i] = i * i, bytes[i] = i * 13, wide[i] = 0;
    }
}

static void show(const char *name, int n, double result) {
    unsigned long sum = (long)(result * 8);
    for (int i = 0; i < SIZE; i++)
        sum = sum * 31 + (long)(a[i] * 4) + (long)p[i] + (long)q[i] * 3 + k[i] + m[i] * 5 + s[i] + bytes[i] + wide[i];
    printf("%s %d: %lu\n", name, n, sum);
}

#define RUN(name) fill(), show(#name, n, name(n))

int main(void) {
    for (int n = 0; n < 37; n++) {
        RUN(loaded), RUN(two), RUN(computed), RUN(doubles), RUN(integers), RUN(narrow), RUN(shorts), RUN(chosen);
        RUN(number), RUN(partial), RUN(exchanged), RUN(counted_down), RUN(minimum);
        if (n < 12)
            RUN(sums), RUN(later);
    }
    fill(), show("known", 64, known());
}
