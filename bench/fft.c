/* Measures: the fast Fourier transform: iterative radix 2 on structs of two doubles, recursive on C99 complex numbers, and a number
   theoretic transform modulo 998244353. */
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { BITS = 14, SIZE = 1 << BITS };
static const uint32_t PRIME = 998244353, GENERATOR = 3;

typedef struct {
    double re, im;
} Complex;

static unsigned reverse(unsigned x, int bits) {
    unsigned r = 0;
    for (int i = 0; i < bits; i++)
        r = r << 1 | (x >> i & 1);
    return r;
}

static void transform(Complex *v, const Complex *roots, int inverse) {
    for (unsigned i = 0; i < SIZE; i++) {
        unsigned j = reverse(i, BITS);
        if (i < j) {
            Complex t = v[i];
            v[i] = v[j];
            v[j] = t;
        }
    }
    for (int length = 2; length <= SIZE; length *= 2)
        for (int start = 0; start < SIZE; start += length)
            for (int k = 0; k < length / 2; k++) {
                Complex w = roots[k * (SIZE / length)];
                if (inverse)
                    w.im = -w.im;
                Complex *a = &v[start + k], *b = &v[start + k + length / 2];
                Complex t = {b->re * w.re - b->im * w.im, b->re * w.im + b->im * w.re};
                *b = (Complex){a->re - t.re, a->im - t.im};
                *a = (Complex){a->re + t.re, a->im + t.im};
            }
}

static void recursive(const double complex *in, double complex *out, int n, int stride) {
    if (n == 1) {
        out[0] = in[0];
        return;
    }
    recursive(in, out, n / 2, 2 * stride);
    recursive(in + stride, out + n / 2, n / 2, 2 * stride);
    double complex step = cos(2 * 3.14159265358979323846 / n) - I * sin(2 * 3.14159265358979323846 / n), w = 1;
    for (int k = 0; k < n / 2; k++, w *= step) {
        double complex even = out[k], odd = w * out[k + n / 2];
        out[k] = even + odd;
        out[k + n / 2] = even - odd;
    }
}

static uint32_t power(uint32_t base, uint32_t exponent) {
    uint64_t result = 1, factor = base;
    for (; exponent; exponent >>= 1, factor = factor * factor % PRIME)
        if (exponent & 1)
            result = result * factor % PRIME;
    return (uint32_t)result;
}

static void number_transform(uint32_t *v) {
    for (unsigned length = SIZE; length >= 2; length /= 2) {
        uint32_t root = power(GENERATOR, (PRIME - 1) / length);
        for (unsigned start = 0; start < SIZE; start += length) {
            uint64_t w = 1;
            for (unsigned k = start; k < start + length / 2; k++) {
                uint32_t a = v[k], b = v[k + length / 2];
                v[k] = a + b >= PRIME ? a + b - PRIME : a + b;
                v[k + length / 2] = (uint32_t)((a + PRIME - b) * w % PRIME);
                w = w * root % PRIME;
            }
        }
    }
}

int main(void) {
    static Complex v[SIZE], roots[SIZE / 2];
    static double complex in[SIZE], out[SIZE];
    static uint32_t numbers[SIZE];
    for (int k = 0; k < SIZE / 2; k++)
        roots[k] = (Complex){cos(2 * 3.14159265358979323846 * k / SIZE), -sin(2 * 3.14159265358979323846 * k / SIZE)};
    for (int i = 0; i < SIZE; i++)
        v[i] = (Complex){(i * 37 % 101) / 101.0, 0};
    for (int round = 0; round < 140; round++) {
        transform(v, roots, 0);
        for (int i = SIZE / 4; i < SIZE * 3 / 4; i++)
            v[i].re *= 0.99;
        transform(v, roots, 1);
        for (int i = 0; i < SIZE; i++) {
            v[i].re /= SIZE;
            v[i].im /= SIZE;
        }
    }
    double sum = 0, sum_recursive = 0;
    for (int i = 0; i < SIZE; i++)
        sum += v[i].re * (i % 3);
    for (int round = 0; round < 120; round++) {
        for (int i = 0; i < SIZE; i++)
            in[i] = (i * 53 % 97 + round) / 97.0;
        recursive(in, out, SIZE, 1);
        sum_recursive += cabs(out[17]) + creal(out[SIZE / 3]);
    }
    uint32_t hash = 0;
    for (uint32_t i = 0; i < SIZE; i++)
        numbers[i] = i * 2654435761u % PRIME;
    for (int round = 0; round < 120; round++) {
        number_transform(numbers);
        hash = hash * 31 + numbers[round];
    }
    printf("fft %.6f %.6f %08x\n", sum, sum_recursive, (unsigned)hash);
    return 0;
}
