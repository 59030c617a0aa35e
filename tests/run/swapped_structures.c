/* Structures that change places through a third one, of all sizes up to 80 bytes. */
#include <stdio.h>
#include <string.h>

#define STRUCTURE(n)                                                                                                   \
    struct bytes##n {                                                                                                  \
        unsigned char at[n];                                                                                           \
    };                                                                                                                 \
    __attribute__((noipa)) static void swap##n(struct bytes##n *a, struct bytes##n *b) {                               \
        struct bytes##n t = *a;                                                                                        \
        *a = *b;                                                                                                       \
        *b = t;                                                                                                        \
    }                                                                                                                  \
    __attribute__((noipa)) static void rotate##n(struct bytes##n *a, int from, int to) {                               \
        struct bytes##n t = a[from];                                                                                   \
        for (int i = from; i < to; i++)                                                                                \
            a[i] = a[i + 1];                                                                                           \
        a[to] = t;                                                                                                     \
    }                                                                                                                  \
    static void test##n(void) {                                                                                        \
        struct bytes##n v[4];                                                                                          \
        unsigned char *bytes = (unsigned char *)v;                                                                     \
        for (unsigned i = 0; i < sizeof v; i++)                                                                        \
            bytes[i] = (unsigned char)(i * 7 + i / 5);                                                                 \
        swap##n(&v[0], &v[2]);                                                                                         \
        swap##n(&v[1], &v[1]);                                                                                         \
        rotate##n(v, 0, 3);                                                                                            \
        unsigned sum = 0;                                                                                              \
        for (unsigned i = 0; i < sizeof v; i++)                                                                        \
            sum = sum * 31 + bytes[i];                                                                                 \
        printf("%d: %08x\n", n, sum);                                                                                  \
    }

#define ALL(m)                                                                                                         \
    m(1) m(3) m(8) m(12) m(15) m(16) m(17) m(20) m(24) m(28) m(31) m(32) m(33) m(36) m(40) m(44) m(48) m(52) m(56)      \
        m(60) m(63) m(64) m(65) m(72) m(80)

ALL(STRUCTURE)

struct mixed {
    double x, y, z;
    float weight;
    int id;
    char name[24];
};

/* A member is read beside copies of the whole. */
__attribute__((noipa)) static double sort(struct mixed *v, int n) {
    double moved = 0;
    for (int i = 1; i < n; i++) {
        struct mixed t = v[i];
        int j = i;
        for (; j > 0 && v[j - 1].x > t.x; j--)
            v[j] = v[j - 1];
        v[j] = t;
        moved += t.weight * (i - j);
    }
    return moved;
}

#define CALL(n) test##n();

int main(void) {
    ALL(CALL)
    struct mixed v[] = {{3, 1, 2, 0.5f, 1, "three"}, {-1, 4, 4, 2, 2, "minus one"}, {2, 0, 1, 8, 3, "two"}, {0}};
    double moved = sort(v, 4);
    for (int i = 0; i < 4; i++)
        printf("%g %g %g %g %d %s\n", v[i].x, v[i].y, v[i].z, (double)v[i].weight, v[i].id, v[i].name);
    printf("%g\n", moved);
    return 0;
}
