/* Measures: calls through function pointers: shapes with method tables, a chain of filters with contexts, a table of handlers. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Shape Shape;

typedef struct {
    double (*area)(const Shape *);
    double (*perimeter)(const Shape *);
    void (*grow)(Shape *, double);
} Methods;

struct Shape {
    const Methods *methods;
};

typedef struct {
    Shape base;
    double radius;
} Circle;

typedef struct {
    Shape base;
    double width, height;
} Rectangle;

typedef struct {
    Shape base;
    double a, b, c;
} Triangle;

static double circle_area(const Shape *s) {
    const Circle *c = (const Circle *)s;
    return 3.141592653589793 * c->radius * c->radius;
}

static double circle_perimeter(const Shape *s) {
    return 2 * 3.141592653589793 * ((const Circle *)s)->radius;
}

static void circle_grow(Shape *s, double by) {
    ((Circle *)s)->radius *= by;
}

static double rectangle_area(const Shape *s) {
    const Rectangle *r = (const Rectangle *)s;
    return r->width * r->height;
}

static double rectangle_perimeter(const Shape *s) {
    const Rectangle *r = (const Rectangle *)s;
    return 2 * (r->width + r->height);
}

static void rectangle_grow(Shape *s, double by) {
    Rectangle *r = (Rectangle *)s;
    r->width *= by;
    r->height /= by;
}

static double triangle_area(const Shape *s) {
    const Triangle *t = (const Triangle *)s;
    double half = (t->a + t->b + t->c) / 2;
    return sqrt(half * (half - t->a) * (half - t->b) * (half - t->c));
}

static double triangle_perimeter(const Shape *s) {
    const Triangle *t = (const Triangle *)s;
    return t->a + t->b + t->c;
}

static void triangle_grow(Shape *s, double by) {
    Triangle *t = (Triangle *)s;
    t->a *= by, t->b *= by, t->c *= by;
}

static const Methods circle_methods = {circle_area, circle_perimeter, circle_grow};
static const Methods rectangle_methods = {rectangle_area, rectangle_perimeter, rectangle_grow};
static const Methods triangle_methods = {triangle_area, triangle_perimeter, triangle_grow};

/* A chain of filters: each gets a value, its own state, and passes on what it makes. */
typedef struct Filter Filter;
struct Filter {
    int32_t (*apply)(Filter *, int32_t);
    Filter *next;
    int32_t state;
};

static int32_t smooth(Filter *f, int32_t x) {
    f->state += (x - f->state) / 4;
    return f->state;
}

static int32_t difference(Filter *f, int32_t x) {
    int32_t before = f->state;
    f->state = x;
    return x - before;
}

static int32_t clamp(Filter *f, int32_t x) {
    return x > f->state ? f->state : x < -f->state ? -f->state : x;
}

static int32_t run_chain(Filter *chain, int32_t x) {
    for (; chain; chain = chain->next)
        x = chain->apply(chain, x);
    return x;
}

/* Handlers in a table, chosen by data. */
typedef uint32_t Handler(uint32_t);
static uint32_t rotate(uint32_t x) { return x << 3 | x >> 29; }
static uint32_t scramble(uint32_t x) { return x * 2654435761u; }
static uint32_t fold(uint32_t x) { return x ^ x >> 15; }
static uint32_t step(uint32_t x) { return x + 0x9e3779b9u; }
static Handler *const handlers[8] = {rotate, scramble, fold, step, scramble, step, rotate, fold};

int main(void) {
    enum { SHAPES = 3000 };
    static Shape *shapes[SHAPES];
    uint32_t seed = 3;
    for (int i = 0; i < SHAPES; i++) {
        seed = seed * 1664525u + 1013904223u;
        double size = 1 + (seed >> 8) % 100 / 10.0;
        Circle *c = malloc(sizeof(Triangle));
        if (!c)
            return 1;
        if (seed >> 30 == 0)
            *c = (Circle){{&circle_methods}, size};
        else if (seed >> 30 == 1)
            *(Rectangle *)c = (Rectangle){{&rectangle_methods}, size, size / 2};
        else
            *(Triangle *)c = (Triangle){{&triangle_methods}, size, size, size * 1.2};
        shapes[i] = &c->base;
    }
    double sum = 0;
    for (int round = 0; round < 6000; round++) {
        double factor = round % 2 ? 1.001 : 1 / 1.001;
        for (int i = 0; i < SHAPES; i++) {
            Shape *s = shapes[i];
            sum += s->methods->area(s) / s->methods->perimeter(s);
            if ((i + round) % 16 == 0)
                s->methods->grow(s, factor);
        }
    }
    Filter last = {clamp, NULL, 1000}, third = {smooth, &last, 0}, second = {difference, &third, 0}, first = {smooth, &second, 0};
    int64_t filtered = 0;
    uint32_t x = 1, hash = 0;
    for (int i = 0; i < 20000000; i++) {
        x = handlers[(x >> 7 ^ x >> 20) & 7](x);
        hash = hash * 31 + x;
        if (i % 2 == 0)
            filtered += run_chain(&first, (int32_t)(x >> 16) - 32768);
    }
    printf("virtual_dispatch %.6f %lld %08x\n", sum, (long long)filtered, (unsigned)hash);
    for (int i = 0; i < SHAPES; i++)
        free(shapes[i]);
    return 0;
}
