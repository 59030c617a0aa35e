/* Measures: a bump allocator: building, transforming (symbolic differentiation and simplification) and dropping expression trees. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Chunk Chunk;
struct Chunk {
    Chunk *next;
    size_t size;
    max_align_t data[];
};

typedef struct {
    Chunk *chunks;
    char *at, *end;
} Arena;

static void *allocate(Arena *a, size_t size) {
    size = (size + 15) & ~(size_t)15;
    if ((size_t)(a->end - a->at) < size) {
        size_t chunk_size = size > 65536 ? size : 65536;
        Chunk *c = malloc(sizeof(Chunk) + chunk_size);
        if (!c) {
            fputs("out of memory\n", stderr);
            exit(1);
        }
        *c = (Chunk){a->chunks, chunk_size};
        a->chunks = c;
        a->at = (char *)c->data;
        a->end = a->at + chunk_size;
    }
    void *p = a->at;
    a->at += size;
    return p;
}

/* Keeps the newest chunk for the next use. */
static void reset(Arena *a) {
    if (!a->chunks)
        return;
    for (Chunk *c = a->chunks->next, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    a->chunks->next = NULL;
    a->at = (char *)a->chunks->data;
    a->end = a->at + a->chunks->size;
}

typedef enum { CONSTANT, VARIABLE, SUM, PRODUCT } Kind;

typedef struct Expr Expr;
struct Expr {
    Kind kind;
    int value; /* of a constant; number of a variable */
    const Expr *left, *right;
};

static const Expr *leaf(Arena *a, Kind kind, int value) {
    Expr *e = allocate(a, sizeof *e);
    *e = (Expr){.kind = kind, .value = value};
    return e;
}

static int is_constant(const Expr *e, int value) {
    return e->kind == CONSTANT && e->value == value;
}

static const Expr *join(Arena *a, Kind kind, const Expr *left, const Expr *right) {
    if (left->kind == CONSTANT && right->kind == CONSTANT) {
        int value = kind == SUM ? left->value + right->value : left->value * right->value;
        return leaf(a, CONSTANT, value % 10007);
    }
    if (kind == SUM && is_constant(left, 0))
        return right;
    if (kind == SUM && is_constant(right, 0))
        return left;
    if (kind == PRODUCT && (is_constant(left, 0) || is_constant(right, 1)))
        return left;
    if (kind == PRODUCT && (is_constant(right, 0) || is_constant(left, 1)))
        return right;
    Expr *e = allocate(a, sizeof *e);
    *e = (Expr){kind, 0, left, right};
    return e;
}

static const Expr *derive(Arena *a, const Expr *e, int variable) {
    switch (e->kind) {
    case CONSTANT: return leaf(a, CONSTANT, 0);
    case VARIABLE: return leaf(a, CONSTANT, e->value == variable);
    case SUM: return join(a, SUM, derive(a, e->left, variable), derive(a, e->right, variable));
    case PRODUCT: break;
    }
    return join(a, SUM, join(a, PRODUCT, derive(a, e->left, variable), e->right),
                join(a, PRODUCT, e->left, derive(a, e->right, variable)));
}

static uint32_t evaluate(const Expr *e, const uint32_t *variables) {
    switch (e->kind) {
    case CONSTANT: return (uint32_t)e->value;
    case VARIABLE: return variables[e->value];
    case SUM: return evaluate(e->left, variables) + evaluate(e->right, variables);
    case PRODUCT: break;
    }
    return evaluate(e->left, variables) * evaluate(e->right, variables);
}

static const Expr *random_expr(Arena *a, int depth, uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    uint32_t r = *seed >> 24;
    if (depth == 0)
        return r & 1 ? leaf(a, VARIABLE, (int)(r >> 1 & 3)) : leaf(a, CONSTANT, (int)(r >> 1 & 7));
    const Expr *left = random_expr(a, depth - 1, seed);
    return join(a, r & 3 ? PRODUCT : SUM, left, random_expr(a, r & 16 ? depth - 1 : depth / 2, seed));
}

int main(void) {
    Arena arena = {0};
    const uint32_t variables[4] = {3, 5, 7, 11};
    uint32_t seed = 77, hash = 0;
    for (int round = 0; round < 30000; round++) {
        const Expr *e = random_expr(&arena, 8, &seed);
        for (int variable = 0; variable < 3; variable++) {
            const Expr *d = derive(&arena, e, variable);
            hash = hash * 31 + evaluate(d, variables);
            hash = hash * 31 + evaluate(derive(&arena, d, 3), variables);
        }
        if (round % 8 == 7)
            reset(&arena);
    }
    reset(&arena);
    free(arena.chunks);
    printf("arena %08x\n", (unsigned)hash);
    return 0;
}
