// Memory takes on another type when it is written: stores of different types stay in order, and so
// do loads and the stores after them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct a { int x, y; };
struct b { int p, q; };

__attribute__((noinline)) static int scalars(int *i, float *f) {
    *i = 1;
    *f = 2;
    int seen = (int)*f;
    *i = 3;
    *f = 4;
    return seen * 10 + (int)*f;
}

__attribute__((noinline)) static int records(struct a *a, struct b *b) {
    a->x = 1;
    b->p = 2;
    a->y = 3;
    return b->p;
}

// Dead only if nothing reads it.
__attribute__((noinline)) static int read_between(struct a *a, struct b *b, float *f) {
    a->x = 7;
    int seen = *(int *)b;
    *f = 1;
    a->x = 8;
    int again = a->x;
    b->p = 9;
    return seen * 100 + again * 10 + b->p;
}

// A loop that could keep both in registers.
__attribute__((noinline)) static int kept(struct a *a, struct b *b, int n) {
    for (int i = 0; i < n; i++) {
        a->x = i;
        b->p = i + 100;
    }
    return b->p;
}

__attribute__((noinline)) static int kept_scalars(long *count, double *last, int n) {
    for (int i = 0; i < n; i++) {
        *count = i;
        *last = i + 100;
    }
    return (int)*last;
}

// Neighbours that could be one store, with another between.
__attribute__((noinline)) static int neighbours(short *s, float *f) {
    s[0] = 1;
    *f = 1.5f;
    s[1] = 2;
    return s[1];
}

// One loop over two types: each store after those before it.
__attribute__((noinline)) static void interleaved(int *i, float *f, int n) {
    for (int k = 0; k < n; k++) {
        i[k] = k;
        f[k] = (float)k;
    }
}

// Each place is read before the other type is written there.
__attribute__((noinline)) static int read_first(int *i, float *f, int n) {
    int sum = 0;
    for (int k = 0; k < n; k++) {
        f[k] = 1;
        sum += i[k];
    }
    return sum;
}

static void in_loops(char *memory) {
    int apart[] = { -5, -2, -1, 0, 1, 2, 5 };
    for (size_t t = 0; t < sizeof apart / sizeof *apart; t++) {
        memset(memory, 0, 512);
        interleaved((int *)(memory + 128), (float *)(memory + 128) + apart[t], 19);
        unsigned hash = 0;
        for (int i = 0; i < 512; i++) {
            hash = hash * 31 + (unsigned char)memory[i];
        }
        printf("%d %u", apart[t], hash);
        if (apart[t] < 0) {
            int *ints = (int *)(memory + 128);
            for (int i = 0; i < 19; i++) {
                ints[i] = i * i;
            }
            printf(" %d", read_first(ints, (float *)ints + apart[t], 19));
        }
        printf("\n");
    }
}

int main(void) {
    char *memory = malloc(512);
    void *m = memory;
    printf("%d\n", scalars(m, m));
    printf("%d\n", records(m, m));
    printf("%d\n", read_between(m, m, m));
    printf("%d\n", kept(m, m, 3));
    printf("%d\n", kept_scalars(m, m, 5));
    printf("%d\n", neighbours(m, m));
    in_loops(memory);
    free(memory);
    return 0;
}
