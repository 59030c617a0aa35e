// flags: -pthread
// checked: threads, which are refused
#include <stdio.h>
#include <pthread.h>

static _Thread_local int counter = 10;
__thread char buffer[100];
static __thread struct { long a; double b; } both = { 1, 2.5 };
_Thread_local int zero;

static int *address(void) { return &counter; }
static int bump(void) {
  static _Thread_local int calls;
  return ++calls;
}

static void *work(void *arg) {
  counter += (int)(long)arg;
  buffer[5] = 'x';
  both.a += 7;
  both.b *= 2;
  zero--;
  bump();
  bump();
  printf("%d %d %ld %g %d %d\n", counter, buffer[5], both.a, both.b, zero, bump());
  return address() == &counter ? address() : 0;
}

int main(void) {
  pthread_t t;
  void *r;
  for (long i = 1; i < 4; i++) {
    pthread_create(&t, 0, work, (void *)i);
    pthread_join(t, &r);
    printf("%d\n", r != 0 && r != &counter);
  }
  work((void *)100);
  printf("%d %d\n", *address(), bump());
  return 0;
}
