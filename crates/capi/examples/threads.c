/* Several states at the same time, in threads that share nothing. */
#include <libtcc.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 8 };

static void *work(void *argument)
{
    int number = (int)(long)argument;
    char text[200];
    TCCState *s = tcc_new();
    tcc_set_options(s, "-O2");
    snprintf(text, sizeof text, "static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n"
                                "int f(void) { return fib(%d); }\n", number + 10);
    long result = -1;
    if (!tcc_compile_string(s, text) && !tcc_relocate(s))
        result = ((int (*)(void))tcc_get_symbol(s, "f"))();
    tcc_delete(s);
    return (void *)result;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        printf("fib(%d) = %ld\n", i + 10, (long)result);
    }
    return 0;
}
