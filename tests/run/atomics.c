// flags: -pthread
// checked: threads, which are refused
#include <stdatomic.h>
#include <stdio.h>
#include <pthread.h>

static atomic_int counter;
static _Atomic long total = 5;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static int guarded;
static _Atomic(int *) pointer;
static _Atomic unsigned char small;
static _Atomic double real;
struct pair { int a, b; };
static _Atomic struct pair both;

static void *work(void *arg) {
  for (int i = 0; i < 10000; i++) {
    counter++;
    atomic_fetch_add_explicit(&total, 2, memory_order_relaxed);
    while (atomic_flag_test_and_set(&lock))
      ;
    guarded++;
    atomic_flag_clear(&lock);
    small += 3;
    double seen = real;
    while (!atomic_compare_exchange_strong(&real, &seen, seen + 0.5))
      ;
    struct pair old = both, new;
    do {
      new = (struct pair){ old.a + 1, old.b - 1 };
    } while (!atomic_compare_exchange_weak(&both, &old, new));
  }
  return arg;
}

int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  struct pair p = both;
  printf("%d %ld %d %d %g %d %d\n", counter, total, guarded, small, real, p.a, p.b);
  int x = 10, expected = 9;
  _Bool ok = __atomic_compare_exchange_n(&x, &expected, 20, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  printf("%d %d %d\n", ok, x, expected);
  ok = __atomic_compare_exchange_n(&x, &expected, 20, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  printf("%d %d\n", ok, x);
  printf("%d %d %d %d\n", __atomic_fetch_and(&x, 6, __ATOMIC_SEQ_CST), __atomic_or_fetch(&x, 9, __ATOMIC_SEQ_CST),
         __atomic_exchange_n(&x, 3, __ATOMIC_SEQ_CST), __atomic_load_n(&x, __ATOMIC_ACQUIRE));
  __atomic_store_n(&x, 100, __ATOMIC_RELEASE);
  printf("%d %d %d\n", __sync_fetch_and_add(&x, 5), __sync_sub_and_fetch(&x, 10), __sync_bool_compare_and_swap(&x, 95, 1));
  printf("%d %d\n", __sync_val_compare_and_swap(&x, 1, 7), __sync_lock_test_and_set(&x, 8));
  __sync_lock_release(&x);
  __sync_synchronize();
  printf("%d %d\n", x, __atomic_nand_fetch(&x, 5, __ATOMIC_RELAXED));
  int arr[4] = { 1, 2, 3, 4 };
  pointer = arr;
  pointer++;
  pointer += 2;
  printf("%d %ld\n", *pointer, (long)(atomic_load(&pointer) - arr));
  total ^= 0xff;
  total <<= 2;
  total--;
  printf("%ld %ld\n", total, --total);
  printf("%d %d\n", atomic_exchange(&counter, 1), atomic_fetch_xor(&counter, 3));
  atomic_thread_fence(memory_order_seq_cst);
  printf("%d %d\n", atomic_is_lock_free(&counter), __atomic_always_lock_free(8, 0));
  unsigned char flag = 0;
  printf("%d", __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
  printf("%d\n", __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
  return 0;
}
