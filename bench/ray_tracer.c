/* Measures: a small ray tracer: vectors of three doubles passed and returned by value, square roots, recursion for reflections. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { WIDTH = 320, HEIGHT = 240, SPHERES = 9, DEPTH = 4 };

typedef struct {
    double x, y, z;
} Vec;

typedef struct {
    Vec centre;
    double radius;
    Vec colour;
    double mirror;
} Sphere;

typedef struct {
    Vec origin, direction;
} Ray;

static Vec add(Vec a, Vec b) {
    return (Vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static Vec sub(Vec a, Vec b) {
    return (Vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static Vec scale(Vec a, double s) {
    return (Vec){a.x * s, a.y * s, a.z * s};
}

static double dot(Vec a, Vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vec unit(Vec a) {
    return scale(a, 1 / sqrt(dot(a, a)));
}

/* Distance along the ray, or a negative number. */
static double hit_sphere(const Sphere *s, Ray r) {
    Vec to_centre = sub(s->centre, r.origin);
    double along = dot(to_centre, r.direction);
    double under_root = along * along - dot(to_centre, to_centre) + s->radius * s->radius;
    if (under_root < 0)
        return -1;
    double root = sqrt(under_root);
    return along - root > 1e-6 ? along - root : along + root > 1e-6 ? along + root : -1;
}

static const Sphere *nearest(const Sphere *spheres, Ray r, double *distance) {
    const Sphere *found = NULL;
    *distance = 1e30;
    for (int i = 0; i < SPHERES; i++) {
        double d = hit_sphere(&spheres[i], r);
        if (d > 0 && d < *distance) {
            *distance = d;
            found = &spheres[i];
        }
    }
    return found;
}

static Vec sky(Vec direction) {
    double t = 0.5 * (direction.y + 1);
    return add(scale((Vec){1, 1, 1}, 1 - t), scale((Vec){0.4, 0.6, 1}, t));
}

static Vec trace(const Sphere *spheres, Ray r, int depth) {
    static const Vec light = {5, 10, -4};
    double distance;
    const Sphere *s = nearest(spheres, r, &distance);
    if (!s)
        return sky(r.direction);
    Vec point = add(r.origin, scale(r.direction, distance));
    Vec normal = unit(sub(point, s->centre));
    Vec to_light = sub(light, point);
    Ray shadow = {point, unit(to_light)};
    double blocked, brightness = 0.1;
    if (!nearest(spheres, shadow, &blocked) || blocked > sqrt(dot(to_light, to_light)))
        brightness += fmax(0, dot(normal, shadow.direction)) * 0.9;
    Vec colour = scale(s->colour, brightness);
    if (depth > 0 && s->mirror > 0) {
        Ray reflected = {point, sub(r.direction, scale(normal, 2 * dot(r.direction, normal)))};
        colour = add(scale(colour, 1 - s->mirror), scale(trace(spheres, reflected, depth - 1), s->mirror));
    }
    return colour;
}

static unsigned level(double v) {
    return v >= 1 ? 255 : v <= 0 ? 0 : (unsigned)(v * 255);
}

int main(void) {
    Sphere spheres[SPHERES] = {{{0, -1000, 0}, 999, {0.5, 0.6, 0.5}, 0.1}};
    for (int i = 1; i < SPHERES; i++)
        spheres[i] = (Sphere){{3 * cos(i * 0.8), -0.4 + 0.2 * i, 3 * sin(i * 0.8)}, 0.3 + 0.1 * i, {0.1 * i, 1 - 0.1 * i, 0.5}, 0.1 * i};
    uint64_t sum[3] = {0, 0, 0};
    uint32_t hash = 0;
    for (int frame = 0; frame < 16; frame++) {
        Vec eye = {0.1 * frame, 1.5, -8};
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                Vec target = {(x - WIDTH / 2) * 0.02, (HEIGHT / 2 - y) * 0.02, 0};
                Vec c = trace(spheres, (Ray){eye, unit(sub(target, eye))}, DEPTH);
                sum[0] += level(c.x), sum[1] += level(c.y), sum[2] += level(c.z);
                hash = hash * 31 + (level(c.x) >> 4);
            }
    }
    printf("ray_tracer %llu %llu %llu %08x\n", (unsigned long long)sum[0], (unsigned long long)sum[1], (unsigned long long)sum[2], (unsigned)hash);
    return 0;
}
