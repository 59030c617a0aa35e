/* Measures: heap sort on doubles and a binary heap of events with a comparison of two fields (a discrete event simulation). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1000000, QUEUE = 4096, EVENTS = 3000000, MACHINES = 64 };

static void sift_down(double *v, size_t root, size_t n) {
    double value = v[root];
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= n)
            break;
        if (child + 1 < n && v[child + 1] > v[child])
            child++;
        if (!(v[child] > value))
            break;
        v[root] = v[child];
        root = child;
    }
    v[root] = value;
}

static void heap_sort(double *v, size_t n) {
    for (size_t i = n / 2; i-- > 0;)
        sift_down(v, i, n);
    while (n > 1) {
        double largest = v[0];
        v[0] = v[--n];
        v[n] = largest;
        sift_down(v, 0, n);
    }
}

typedef struct {
    uint32_t time;
    uint16_t machine;
    uint16_t kind;
} Event;

typedef struct {
    Event events[QUEUE];
    int count;
} Queue;

static int before(Event a, Event b) {
    return a.time != b.time ? a.time < b.time : a.machine < b.machine;
}

static void push(Queue *q, Event e) {
    int i = q->count++;
    while (i > 0 && before(e, q->events[(i - 1) / 2])) {
        q->events[i] = q->events[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    q->events[i] = e;
}

static Event pop(Queue *q) {
    Event top = q->events[0], last = q->events[--q->count];
    int i = 0;
    for (int child; (child = 2 * i + 1) < q->count; i = child) {
        if (child + 1 < q->count && before(q->events[child + 1], q->events[child]))
            child++;
        if (!before(q->events[child], last))
            break;
        q->events[i] = q->events[child];
    }
    q->events[i] = last;
    return top;
}

static uint32_t next_random(uint32_t *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* Machines finish jobs and start others; some break down and are repaired. */
static uint32_t simulate(Queue *q, uint32_t seed) {
    uint32_t done[MACHINES] = {0}, hash = 0, now = 0;
    for (int i = 0; i < QUEUE / 2; i++)
        push(q, (Event){next_random(&seed) % 1000, (uint16_t)(i % MACHINES), (uint16_t)(i % 3)});
    for (int i = 0; i < EVENTS; i++) {
        Event e = pop(q);
        now = e.time;
        switch (e.kind) {
        case 0: done[e.machine]++; e.time += 100 + next_random(&seed) % 900; break;
        case 1: e.time += 5000; e.kind = 2; break;
        default: e.time += next_random(&seed) % 64; e.kind = (uint16_t)(next_random(&seed) % 16 == 0); break;
        }
        push(q, e);
    }
    for (int i = 0; i < MACHINES; i++)
        hash = hash * 31 + done[i];
    return hash ^ now;
}

static Queue queue;

int main(void) {
    double *v = malloc(COUNT * sizeof *v);
    if (!v)
        return 1;
    uint32_t seed = 2463534242u;
    for (int i = 0; i < COUNT; i++)
        v[i] = (double)next_random(&seed) / (1 + i % 7);
    heap_sort(v, COUNT);
    double sum = 0;
    for (int i = 0; i < COUNT; i++) {
        if (i > 0 && v[i - 1] > v[i])
            return 1;
        sum += v[i] * (i % 5);
    }
    printf("sort_heap %.3f %08x\n", sum, (unsigned)simulate(&queue, seed));
    free(v);
    return 0;
}
