#include <stdio.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t flag;
static volatile int counter;
struct device { volatile unsigned status; volatile unsigned char data[4]; };

static void handler(int n) {
  flag = n;
  counter++;
}

static unsigned poll(struct device *d) {
  unsigned n = 0;
  for (int i = 0; i < 4; i++)
    n += d->status + d->data[i];
  return n;
}

int main(void) {
  signal(SIGUSR1, handler);
  raise(SIGUSR1);
  raise(SIGUSR1);
  printf("%d %d\n", flag == SIGUSR1, counter);
  struct device d = { 5, { 1, 2, 3, 4 } };
  printf("%u\n", poll(&d));
  volatile int v = 3;
  v;
  v = v + v;
  v++;
  int *volatile p = (int *)&counter;
  *p = 9;
  printf("%d %d\n", v, counter);
  return 0;
}
