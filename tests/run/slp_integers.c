// Neighbouring stores of integers become vectors, copies of neighbours words: with arrays that
// overlap, operands that change places, and values that something else asks for.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct quad { int a, b, c, d; };
struct small { uint8_t kind, flags; uint16_t size; };

__attribute__((noinline)) static void add(int *p, const int *q) {
    p[0] = q[0] + p[0]; p[1] = p[1] + q[1]; p[2] = q[2] + p[2]; p[3] = p[3] + q[3];
}
__attribute__((noinline)) static void loaded_first(int *p, const int *q) {
    int a = q[0] * 3, b = q[1] * 3, c = q[2] * 3, d = q[3] * 3;
    p[0] = a; p[1] = b; p[2] = c; p[3] = d;
}
__attribute__((noinline)) static int also_summed(unsigned *restrict p, const unsigned *restrict q) {
    unsigned a = q[0] ^ p[0], b = q[1] ^ p[1], c = q[2] ^ p[2], d = q[3] ^ p[3];
    p[0] = a; p[1] = b; p[2] = c; p[3] = d;
    return a + b + c + d;
}
__attribute__((noinline)) static void bytes(uint8_t *restrict p, const uint8_t *restrict q) {
    p[0] ^= q[0]; p[1] ^= q[1]; p[2] ^= q[2]; p[3] ^= q[3]; p[4] ^= q[4]; p[5] ^= q[5]; p[6] ^= q[6]; p[7] ^= q[7];
    p[8] ^= q[8]; p[9] ^= q[9]; p[10] ^= q[10]; p[11] ^= q[11]; p[12] ^= q[12]; p[13] ^= q[13]; p[14] ^= q[14]; p[15] ^= q[15];
}
__attribute__((noinline)) static void rotated(uint32_t *p, uint32_t k) {
    for (int i = 0; i < 4; i++) {
        uint32_t x = p[i] ^ k;
        p[i] = x << 7 | x >> 25;
    }
}
__attribute__((noinline)) static void gathered(int64_t *restrict p, const int64_t *restrict q, int64_t a, int64_t b) {
    p[0] = (q[0] - a) & p[0]; p[1] = (q[1] - b) & p[1];
}
__attribute__((noinline)) static void copied(struct quad *p, const struct quad *q, struct small *s, const struct small *t) {
    p->a = q->a; p->b = q->b; p->c = q->c; p->d = q->d;
    s->kind = t->kind; s->flags = t->flags; s->size = t->size;
}

int main(void) {
    int p[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    add(p, p + 1);
    add(p + 1, p);
    add(p + 4, p);
    for (int i = 0; i < 8; i++) printf("%d ", p[i]);
    loaded_first(p + 1, p);
    for (int i = 0; i < 8; i++) printf("%d ", p[i]);
    unsigned u[4] = {1, 2, 3, 4}, w[4] = {7, 6, 5, 0x80000000};
    printf("\n%d", also_summed(u, w));
    rotated(u, 0x12345678);
    for (int i = 0; i < 4; i++) printf(" %x", u[i]);
    uint8_t x[16] = "sixteen letters", y[16] = "another fifteen";
    bytes(x, y);
    unsigned sum = 0;
    for (int i = 0; i < 16; i++) sum = sum * 31 + x[i];
    int64_t g[2] = {-1, 0xff}, h[2] = {1000, 2000};
    gathered(g, h, 1, -1);
    printf("\n%u %lld %lld\n", sum, (long long)g[0], (long long)g[1]);
    struct quad q[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    struct small s[2] = {{1, 2, 3}, {4, 5, 6}};
    copied(q, q + 1, s + 1, s);
    copied((struct quad *)&q[0].b, q, s, s);
    printf("%d %d %d %d %d, %d %d %d\n", q[0].a, q[0].b, q[0].c, q[0].d, q[1].a, s[1].kind, s[1].flags, s[1].size);
}
