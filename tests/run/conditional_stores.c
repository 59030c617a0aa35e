/* Memory that a loop writes in some iterations only, and may not be written if it does in none: it is constant. */
#include <stdio.h>

typedef struct {
    long count;
    long largest;
} Counts;

static const Counts nothing = {7, 100};
static long total;

__attribute__((noinline)) static void count(Counts *counts, const int *p, int n) {
    for (int i = 0; i < n; i++)
        if (p[i] > counts->largest) {
            counts->largest = p[i];
            counts->count++;
        }
}

__attribute__((noinline)) static int find(const int *p, int n, int wanted) {
    int left = 0;
    total = 1000;
    for (int i = 0; i < n; i++) {
        if (p[i] < 0)
            total += i;
        else if (p[i] == wanted)
            return left;
        left++;
    }
    return -1;
}

/* The list is built in a variable that other functions see. */
typedef struct Node {
    struct Node *next;
    int used;
} Node;

static Node nodes[40], *unused;

__attribute__((noinline)) static int sweep(void) {
    int left = 0;
    unused = NULL;
    for (int i = 0; i < 40; i++)
        if (nodes[i].used) {
            nodes[i].used = 0;
        } else {
            nodes[i].next = unused;
            unused = &nodes[i];
            left++;
        }
    return left;
}

int main(void) {
    int p[24];
    for (int n = 0; n < 24; n++) {
        for (int i = 0; i < n; i++)
            p[i] = i * 37 % 101 - 20;
        Counts counts = {n, 0};
        count((Counts *)&nothing, p, n);
        count(&counts, p, n);
        printf("%ld %ld, %d %ld\n", counts.count, counts.largest, find(p, n, 64), total);
    }
    for (int i = 0; i < 40; i++)
        nodes[i].used = i % 7 < 3;
    printf("%d", sweep());
    for (Node *n = unused; n; n = n->next)
        printf(" %d", (int)(n - nodes));
    printf("\n%d\n", sweep());
    return 0;
}
