/* Measures: float matrices: a product with the second matrix transposed, 4 x 4 transformations of points by value, a small
   fully connected network trained by gradient descent. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { N = 256, POINTS = 4096, INPUTS = 16, HIDDEN = 32, OUTPUTS = 4 };

static float a[N][N], b[N][N], c[N][N];

static void multiply_transposed(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[j][k];
            c[i][j] = sum;
        }
}

typedef struct {
    float x, y, z, w;
} Point;

typedef struct {
    float m[4][4];
} Transform;

static Point apply(const Transform *t, Point p) {
    return (Point){
        t->m[0][0] * p.x + t->m[0][1] * p.y + t->m[0][2] * p.z + t->m[0][3] * p.w,
        t->m[1][0] * p.x + t->m[1][1] * p.y + t->m[1][2] * p.z + t->m[1][3] * p.w,
        t->m[2][0] * p.x + t->m[2][1] * p.y + t->m[2][2] * p.z + t->m[2][3] * p.w,
        t->m[3][0] * p.x + t->m[3][1] * p.y + t->m[3][2] * p.z + t->m[3][3] * p.w,
    };
}

static Transform rotation(float angle) {
    float cosine = cosf(angle), sine = sinf(angle);
    return (Transform){{{cosine, -sine, 0, 0}, {sine, cosine, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
}

typedef struct {
    float first[HIDDEN][INPUTS], second[OUTPUTS][HIDDEN];
} Network;

/* One step of gradient descent on one example; gives the squared error before it. */
static float train(Network *n, const float *input, const float *wanted, float rate) {
    float hidden[HIDDEN], delta[OUTPUTS], error = 0;
    for (int h = 0; h < HIDDEN; h++) {
        float sum = 0;
        for (int i = 0; i < INPUTS; i++)
            sum += n->first[h][i] * input[i];
        hidden[h] = sum > 0 ? sum : 0.1f * sum;
    }
    for (int o = 0; o < OUTPUTS; o++) {
        float sum = 0;
        for (int h = 0; h < HIDDEN; h++)
            sum += n->second[o][h] * hidden[h];
        delta[o] = sum - wanted[o];
        error += delta[o] * delta[o];
    }
    for (int h = 0; h < HIDDEN; h++) {
        float back = 0;
        for (int o = 0; o < OUTPUTS; o++) {
            back += delta[o] * n->second[o][h];
            n->second[o][h] -= rate * delta[o] * hidden[h];
        }
        back *= hidden[h] > 0 ? 1.0f : 0.1f;
        for (int i = 0; i < INPUTS; i++)
            n->first[h][i] -= rate * back * input[i];
    }
    return error;
}

static float next_float(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 16777216.0f - 0.5f;
}

int main(void) {
    static Point points[POINTS];
    static Network network;
    uint32_t seed = 4;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = next_float(&seed);
            b[i][j] = next_float(&seed);
        }
    for (int round = 0; round < 12; round++) {
        multiply_transposed();
        for (int i = 0; i < N; i++)
            a[i][i] += c[i][(i + round) % N] / N;
    }
    for (int i = 0; i < POINTS; i++)
        points[i] = (Point){next_float(&seed), next_float(&seed), next_float(&seed), 1};
    for (int round = 0; round < 3000; round++) {
        Transform t = rotation(0.001f * (float)(round % 10));
        for (int i = 0; i < POINTS; i++)
            points[i] = apply(&t, points[i]);
    }
    for (int h = 0; h < HIDDEN; h++) {
        for (int i = 0; i < INPUTS; i++)
            network.first[h][i] = next_float(&seed);
        for (int o = 0; o < OUTPUTS; o++)
            network.second[o][h] = next_float(&seed);
    }
    float error = 0;
    for (int round = 0; round < 150000; round++) {
        float input[INPUTS], wanted[OUTPUTS];
        for (int i = 0; i < INPUTS; i++)
            input[i] = next_float(&seed);
        for (int o = 0; o < OUTPUTS; o++)
            wanted[o] = input[o] * input[o + 4] + input[o + 8];
        error = 0.999f * error + 0.001f * train(&network, input, wanted, 0.01f);
    }
    float sum = 0;
    for (int i = 0; i < POINTS; i++)
        sum += points[i].x * points[i].x + points[i].y * points[i].y;
    printf("matmul_float %.2f %.2f %.4f\n", (double)c[3][7], (double)sum, (double)error);
    return 0;
}
