/* Measures: floating-point latency with few values: a symplectic integration of the outer planets, structs of doubles, sqrt. */
#include <math.h>
#include <stdio.h>

typedef struct {
    double x, y, z;
} Vector;

typedef struct {
    Vector position, velocity;
    double mass;
} Body;

enum { BODIES = 6, STEPS = 4000000 };

static void advance(Body *bodies, int count, double dt) {
    for (int i = 0; i < count; i++) {
        Body *a = &bodies[i];
        for (int j = i + 1; j < count; j++) {
            Body *b = &bodies[j];
            Vector d = {a->position.x - b->position.x, a->position.y - b->position.y, a->position.z - b->position.z};
            double square = d.x * d.x + d.y * d.y + d.z * d.z;
            double scale = dt / (square * sqrt(square));
            double to_a = b->mass * scale, to_b = a->mass * scale;
            a->velocity.x -= d.x * to_a;
            a->velocity.y -= d.y * to_a;
            a->velocity.z -= d.z * to_a;
            b->velocity.x += d.x * to_b;
            b->velocity.y += d.y * to_b;
            b->velocity.z += d.z * to_b;
        }
    }
    for (int i = 0; i < count; i++) {
        Body *a = &bodies[i];
        a->position.x += dt * a->velocity.x;
        a->position.y += dt * a->velocity.y;
        a->position.z += dt * a->velocity.z;
    }
}

static double energy(const Body *bodies, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        const Body *a = &bodies[i];
        Vector v = a->velocity;
        sum += 0.5 * a->mass * (v.x * v.x + v.y * v.y + v.z * v.z);
        for (int j = i + 1; j < count; j++) {
            const Body *b = &bodies[j];
            double x = a->position.x - b->position.x;
            double y = a->position.y - b->position.y;
            double z = a->position.z - b->position.z;
            sum -= a->mass * b->mass / sqrt(x * x + y * y + z * z);
        }
    }
    return sum;
}

/* The heaviest body takes the momentum that makes the sum zero. */
static void rest_at_centre(Body *bodies, int count) {
    Vector sum = {0, 0, 0};
    for (int i = 1; i < count; i++) {
        sum.x += bodies[i].velocity.x * bodies[i].mass;
        sum.y += bodies[i].velocity.y * bodies[i].mass;
        sum.z += bodies[i].velocity.z * bodies[i].mass;
    }
    bodies[0].velocity = (Vector){-sum.x / bodies[0].mass, -sum.y / bodies[0].mass, -sum.z / bodies[0].mass};
}

int main(void) {
    Body bodies[BODIES] = {{.mass = 40.0}};
    for (int i = 1; i < BODIES; i++) {
        double radius = 4.0 * i, angle = 1.3 * i, speed = sqrt(bodies[0].mass / radius);
        bodies[i] = (Body){
            .position = {radius * cos(angle), radius * sin(angle), 0.1 * i},
            .velocity = {-speed * sin(angle), speed * cos(angle), 0.01 * (i - 3)},
            .mass = 0.01 * i,
        };
    }
    rest_at_centre(bodies, BODIES);
    double before = energy(bodies, BODIES);
    for (int i = 0; i < STEPS; i++)
        advance(bodies, BODIES, 0.001);
    printf("nbody %.9f %.9f\n", before, energy(bodies, BODIES));
    return 0;
}
