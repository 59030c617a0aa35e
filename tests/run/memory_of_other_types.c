// Memory that becomes an object of another record: what was stored last counts, whichever way the
// address was computed before.
#include <stdio.h>
#include <stdlib.h>

struct event { int kind; void (*act)(struct event *); int at; };
struct job { unsigned flags; void (*run)(struct job *, int); struct job *next; };

static int result;
static struct job *jobs;
static struct event *events;

static void wrong(struct event *e) { (void)e; result = -1; }
static void right(struct job *j, int n) { (void)j; result = n; }
static void right_event(struct event *e) { (void)e; result = 3; }

static void run(struct event *e) {
    struct job *j = (struct job *)e;
    j->run(j, 8);
}

static void replace(struct event *e) {
    jobs->run = right;
    run(e);
}

static void event_again(struct job *j) {
    events->act = right_event;
    ((struct event *)j)->act((struct event *)j);
}

struct a { int x, y; };
struct b { int p, q; };

// The same value again, after another object was there.
__attribute__((noinline)) static int again(struct a *a, struct b *b) {
    a->x = 1;
    b->p = 2;
    int seen = b->p;
    a->x = 1;
    return seen * 10 + a->x;
}

// On one of two ways.
__attribute__((noinline)) static int one_way(struct a *a, struct b *b, int n) {
    a->x = 1;
    if (n) {
        b->p = 2;
    }
    struct b *c = (struct b *)a;
    return n ? c->p : a->x;
}

// Around a loop.
__attribute__((noinline)) static int around(struct a *a, struct b *b, int n) {
    a->x = 5;
    int sum = a->x;
    for (int i = 0; i < n; i++) {
        b->p = i;
        sum += ((struct b *)a)->p;
    }
    return sum;
}

struct front { long a, m[2]; };
struct back { char c[16]; long last; };

// What is there, stored as another class: it is no member of `struct front` any more.
__attribute__((noinline)) static long same_again(struct front *a, long *p, struct back *b, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) {
        a->m[1] = 43 + i;
        p[2] = p[2];
        sum = sum * 3 + b->last;
    }
    return sum;
}

__attribute__((noinline)) static long all_again(struct front *a, long *p, struct back *b, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) {
        a->m[1] = 43 + i;
        for (int k = 0; k < n; k++) {
            p[k] = p[k];
        }
        sum = sum * 3 + b->last;
    }
    return sum;
}

__attribute__((noinline)) static long again_if(struct front *a, long *p, struct back *b, int c) {
    long first = b->last;
    a->m[1] = 43;
    if (c) {
        p[2] = p[2];
    }
    return first * 100 + (c ? b->last : a->m[1]);
}

int main(void) {
    void *memory = malloc(64);
    struct event *e = memory;
    e->kind = 1;
    e->act = wrong;
    e->at = 2;
    jobs = memory;
    replace(e);
    printf("%d\n", result);
    events = memory;
    e->act = wrong;
    event_again(memory);
    printf("%d\n", result);
    printf("%d %d %d %d\n", again(memory, memory), one_way(memory, memory, 0), one_way(memory, memory, 1), around(memory, memory, 4));
    free(memory);
    memory = calloc(4, sizeof(long));
    struct back *b = memory;
    printf("%ld %ld", same_again(memory, memory, memory, 3), all_again(memory, memory, memory, 3));
    b->last = 0;
    printf(" %ld", again_if(memory, memory, memory, 0));
    b->last = 0;
    printf(" %ld\n", again_if(memory, memory, memory, 1));
    free(memory);
    return 0;
}
