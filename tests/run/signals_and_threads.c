// interpreter: threads that wait for each other
// flags: -pthread
#include <stdio.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int queue[8], head, tail, produced;

static void cleanup(void *p) { *(int *)p += 100; }

static void *producer(void *arg) {
  for (int i = 0; i < 50; i++) {
    pthread_mutex_lock(&lock);
    while (tail - head == 8)
      pthread_cond_wait(&ready, &lock);
    queue[tail++ % 8] = i * (int)(long)arg;
    produced++;
    pthread_cond_broadcast(&ready);
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

static void *consumer(void *arg) {
  long *sum = arg;
  for (int i = 0; i < 100; i++) {
    pthread_mutex_lock(&lock);
    while (tail == head)
      pthread_cond_wait(&ready, &lock);
    *sum += queue[head++ % 8];
    pthread_cond_broadcast(&ready);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

static void *cancelled(void *arg) {
  pthread_cleanup_push(cleanup, arg);
  for (;;)
    pthread_testcancel();
  pthread_cleanup_pop(1);
  return 0;
}

int main(void) {
  pthread_t p1, p2, c, x;
  long sum = 0;
  int cleaned = 1;
  void *r;
  pthread_create(&c, 0, consumer, &sum);
  pthread_create(&p1, 0, producer, (void *)1);
  pthread_create(&p2, 0, producer, (void *)2);
  pthread_join(p1, &r);
  pthread_join(p2, 0);
  pthread_join(c, 0);
  pthread_create(&x, 0, cancelled, &cleaned);
  pthread_cancel(x);
  pthread_join(x, 0);
  printf("%ld %d %ld %d\n", sum, produced, (long)r, cleaned);
  return 0;
}
