// Loops in each other that walk down columns, and that only look as if they could walk along the rows instead: the same results at every level.
#include <stdio.h>
#include <string.h>

enum { R = 32, C = 32 };
static double a[R][C], b[R][C], c[R][C], sums[C], other[C];
static float cube[4][R][C];
static unsigned counts[R][C], totals[C];
static unsigned char bytes[R][64], seen[64];

#define APART __attribute__((noipa))

APART static void product(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
}

APART static void product_anew(void) {
    for (int i = 0; i < C; i++)
        for (int j = 0; j < C; j++) {
            double s = 0;
            for (int k = 0; k < C; k++) s += a[i][k] * b[k][j];
            c[i][j] = s * 0.5;
        }
}

APART static void means(int rows, int columns) {
    for (int j = 0; j < columns; j++) {
        sums[j] = 0;
        for (int i = 0; i < rows; i++) sums[j] += a[i][j];
        sums[j] /= rows;
    }
}

// A sum that starts with what is there, two sums at a time.
APART static void go_on(void) {
    for (int j = 0; j < C; j++) {
        double s = sums[j], t = other[j] * 2;
        for (int i = 0; i < R; i++) s += a[i][j], t -= b[i][j] * s;
        sums[j] = s;
        other[j] = t;
    }
}

APART static void columns(void) {
    for (int j = 0; j < C; j++)
        for (int i = 0; i < R; i++) a[i][j] = b[i][j] + c[i][j] * 3;
}

// From the row above: straight, from the left, and from the right, which must stay.
APART static void above(void) {
    for (int j = 1; j < C - 1; j++)
        for (int i = 1; i < R; i++) a[i][j] = a[i - 1][j] + b[i][j];
}

APART static void left_above(void) {
    for (int j = 1; j < C - 1; j++)
        for (int i = 1; i < R; i++) a[i][j] = a[i - 1][j - 1] * 0.5 + b[i][j];
}

APART static void right_above(void) {
    for (int j = 1; j < C - 1; j++)
        for (int i = 1; i < R; i++) a[i][j] = a[i - 1][j + 1] * 0.5 + b[i][j];
}

// The last column is next to the first one of the next row.
APART static void wraps_around(void) {
    double *flat = &b[0][0];
    for (int j = 0; j < C; j++)
        for (int i = 1; i < R - 1; i++) flat[i * C + j] = flat[i * C + j + 1] * 0.25 + flat[i * C + j - 1];
}

APART static void too_wide(int n) {
    double *flat = &c[0][0];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < R - 4; i++) flat[i * C + j] = flat[i * C + j] * 0.5 + j;
}

// What is stored in front of the inner loop is used in it.
APART static void in_front(void) {
    for (int j = 0; j < C; j++) {
        sums[j] += other[j];
        for (int i = 1; i < R; i++) a[i][j] = a[i - 1][j] + b[i][j] * sums[j];
    }
}

// What is in front reads what the inner loop has written in an earlier round.
APART static void in_front_of_later(void) {
    for (int j = 1; j < C; j++) {
        sums[j] = a[5][j - 1];
        for (int i = 0; i < R; i++) a[i][j] = b[i][j] + sums[j];
    }
}

// What is behind writes what the inner loop reads in a later round.
APART static void behind(void) {
    for (int j = 0; j < C - 1; j++) {
        double s = 0;
        for (int i = 0; i < R; i++) s += a[i][j];
        sums[j] = s;
        a[7][j + 1] = s * 0.125;
    }
}

APART static void reads_old(void) {
    for (int j = 0; j < C; j++) {
        double s = 0;
        for (int i = 0; i < R; i++) s += b[i][j];
        other[j] = sums[j] - s;
        sums[j] = s;
    }
}

APART static void planes(void) {
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < C; j++)
            for (int i = R - 1; i >= 0; i--) cube[k][i][j] += cube[k][R - 1 - i][j] * 0.5f + k;
}

APART static void integers(void) {
    for (int j = 0; j < C; j++)
        for (int i = 0; i < R; i++) totals[j] = totals[j] * 31 + counts[i][j];
    for (int j = 0; j < 64; j++) {
        unsigned char most = 0;
        for (int i = 0; i < R; i++) most = bytes[i][j] > most ? bytes[i][j] : most;
        seen[j] = most;
    }
}

static void set(void) {
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++) {
            a[i][j] = (i * 7 + j * 3) % 11 - 4;
            b[i][j] = (i * 5 + j) % 13 * 0.25 - 1;
            c[i][j] = i - j;
            counts[i][j] = i * 131 + j;
            for (int k = 0; k < 4; k++) cube[k][i][j] = (i * j + k) % 9;
        }
    for (int i = 0; i < R; i++)
        for (int j = 0; j < 64; j++) bytes[i][j] = i * 37 + j * 101;
    for (int j = 0; j < C; j++) sums[j] = j, other[j] = j % 5;
    memset(totals, 0, sizeof totals);
}

static unsigned long hash;

static void mix(const void *from, unsigned long size) {
    for (const char *p = from, *end = p + size; p < end; p += sizeof(unsigned long)) {
        unsigned long word;
        memcpy(&word, p, sizeof word);
        hash = (hash ^ word ^ word >> 32) * 1099511628211u;
    }
}

static void show(const char *name) {
    hash = 14695981039346656037u;
    mix(a, sizeof a), mix(b, sizeof b), mix(c, sizeof c), mix(sums, sizeof sums), mix(other, sizeof other);
    mix(cube, sizeof cube), mix(totals, sizeof totals), mix(seen, sizeof seen);
    printf("%s %016lx\n", name, hash);
    set();
}

int main(void) {
    set();
    product(32), show("product");
    product(1), product(0), show("product of one");
    product_anew(), show("product anew");
    means(32, 32), show("means");
    means(3, 2), means(1, 32), show("means of few");
    go_on(), show("go on");
    columns(), show("columns");
    above(), show("above");
    left_above(), show("left above");
    right_above(), show("right above");
    wraps_around(), show("wraps around");
    too_wide(100), too_wide(0), show("too wide");
    in_front(), show("in front");
    in_front_of_later(), show("in front of later");
    behind(), show("behind");
    reads_old(), show("reads old");
    planes(), show("planes");
    integers(), show("integers");
    return 0;
}
