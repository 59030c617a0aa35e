// flags: -lm
#include <stdio.h>
#include <math.h>

struct body { double x[3], v[3], mass; };

static struct body bodies[] = {
  { { 0, 0, 0 }, { 0, 0, 0 }, 39.47841760435743 },
  { { 4.84143144246472090, -1.16032004402742839, -0.103622044471123109 }, { 0.606326392995832, 2.81198684491626, -0.02521836165988763 }, 0.037693674870389493 },
  { { 8.34336671824457987, 4.12479856412430479, -0.403523417114321381 }, { -1.01077434617879236, 1.82566237123041186, 0.00841576137658415351 }, 0.011286326131968767 },
};
enum { N = sizeof bodies / sizeof *bodies };

static double energy(void) {
  double e = 0;
  for (int i = 0; i < N; i++) {
    struct body *b = &bodies[i];
    e += 0.5 * b->mass * (b->v[0] * b->v[0] + b->v[1] * b->v[1] + b->v[2] * b->v[2]);
    for (int j = i + 1; j < N; j++) {
      double d = 0;
      for (int k = 0; k < 3; k++)
        d += (b->x[k] - bodies[j].x[k]) * (b->x[k] - bodies[j].x[k]);
      e -= b->mass * bodies[j].mass / sqrt(d);
    }
  }
  return e;
}

static void advance(double dt) {
  for (int i = 0; i < N; i++)
    for (int j = i + 1; j < N; j++) {
      double d[3], r = 0;
      for (int k = 0; k < 3; k++) {
        d[k] = bodies[i].x[k] - bodies[j].x[k];
        r += d[k] * d[k];
      }
      double m = dt / (r * sqrt(r));
      for (int k = 0; k < 3; k++) {
        bodies[i].v[k] -= d[k] * bodies[j].mass * m;
        bodies[j].v[k] += d[k] * bodies[i].mass * m;
      }
    }
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 3; k++)
      bodies[i].x[k] += dt * bodies[i].v[k];
}

int main(void) {
  printf("%.9f\n", energy());
  for (int i = 0; i < 2000; i++)
    advance(0.01);
  printf("%.9f\n", energy());
  return 0;
}
