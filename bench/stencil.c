/* Measures: stencils: Jacobi's iteration on a plane of doubles, heat in a volume of floats, a wave equation with three time levels. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 256, CUBE = 64, STRING = 4096 };

static double plane[2][SIDE][SIDE];
static float volume[2][CUBE][CUBE][CUBE];

/* One sweep; gives the largest change. */
static double jacobi(double from[SIDE][SIDE], double to[SIDE][SIDE]) {
    double change = 0;
    for (int i = 1; i < SIDE - 1; i++)
        for (int j = 1; j < SIDE - 1; j++) {
            to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
            double d = fabs(to[i][j] - from[i][j]);
            change = d > change ? d : change;
        }
    return change;
}

static void heat(float from[CUBE][CUBE][CUBE], float to[CUBE][CUBE][CUBE], float rate) {
    for (int i = 1; i < CUBE - 1; i++)
        for (int j = 1; j < CUBE - 1; j++)
            for (int k = 1; k < CUBE - 1; k++) {
                float around = from[i - 1][j][k] + from[i + 1][j][k] + from[i][j - 1][k] + from[i][j + 1][k] + from[i][j][k - 1] + from[i][j][k + 1];
                to[i][j][k] = from[i][j][k] + rate * (around - 6.0f * from[i][j][k]);
            }
}

static double wave(int steps) {
    double *before = calloc(STRING, sizeof *before), *now = calloc(STRING, sizeof *now), *next = calloc(STRING, sizeof *next);
    if (!before || !now || !next)
        exit(1);
    for (int i = 1; i < STRING - 1; i++)
        before[i] = now[i] = exp(-1e-4 * (i - STRING / 3) * (i - STRING / 3));
    for (int s = 0; s < steps; s++) {
        for (int i = 1; i < STRING - 1; i++)
            next[i] = 2 * now[i] - before[i] + 0.81 * (now[i - 1] - 2 * now[i] + now[i + 1]);
        double *t = before;
        before = now;
        now = next;
        next = t;
    }
    double sum = 0;
    for (int i = 0; i < STRING; i++)
        sum += now[i] * now[i];
    free(before);
    free(now);
    free(next);
    return sum;
}

int main(void) {
    for (int i = 0; i < SIDE; i++) {
        plane[0][0][i] = plane[1][0][i] = 100;
        plane[0][i][0] = plane[1][i][0] = i;
    }
    double change = 0;
    for (int s = 0; s < 1800; s++)
        change = jacobi(plane[s % 2], plane[(s + 1) % 2]);
    for (int i = 0; i < CUBE; i++)
        for (int j = 0; j < CUBE; j++)
            for (int k = 0; k < CUBE; k++)
                volume[0][i][j][k] = volume[1][i][j][k] = (float)((i * 7 + j * 5 + k * 3) % 16);
    for (int s = 0; s < 400; s++)
        heat(volume[s % 2], volume[(s + 1) % 2], 0.1f);
    double sum = 0, total = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            sum += plane[0][i][j];
    for (int i = 0; i < CUBE; i++)
        for (int j = 0; j < CUBE; j++)
            total += (double)volume[0][i][j][CUBE / 2];
    printf("stencil %.6f %.9f %.3f %.6f\n", sum, change, total, wave(20000));
    return 0;
}
