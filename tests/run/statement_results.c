// Structures as results of statement expressions go where they are wanted without copies between,
// but not before the last statement and what leaves the scope have seen the old ones.
#include <stdio.h>

struct big { long a[12]; };

static struct big global = {{1, 2, 3}};
static struct big seen;

static struct big made(long first) {
    struct big new = {{first, global.a[0], global.a[1]}};
    return new;
}

static void look(int *unused) {
    (void)unused;
    seen = global;
}

static struct big returned(struct big *from) {
    return ({ struct big copy = *from; copy.a[1]++; copy; });
}

static long sum(struct big b) {
    return b.a[0] * 100 + b.a[1] * 10 + b.a[2];
}

static int leaves(struct big *to) {
    for (int i = 0; i < 3; i++)
        *to = ({ if (i == 1) continue; if (i == 2) break; made(i + 7); });
    return (int)to->a[0];
}

int main(void) {
    // The object itself is changed by the body and read by the result.
    struct big x = {{1, 2, 3}};
    x = ({ struct big old = x; x.a[0] = 9; old.a[2] = x.a[0]; old; });
    printf("%ld\n", sum(x));
    // The result is a call that reads the object.
    global = ({ global.a[0] = 4; made(5); });
    printf("%ld\n", sum(global));
    // A cleanup reads the object after the result is made and before it is stored.
    global = ({ __attribute__((cleanup(look))) int guard = 0; guard++; made(6); });
    printf("%ld %ld\n", sum(seen), sum(global));
    // One in the other, initialisers, arguments, both arms.
    struct big y = ({ struct big v = ({ struct big w = x; w.a[0]++; w; }); v.a[1]++; v; });
    printf("%ld\n", sum(y));
    printf("%ld\n", sum(({ y.a[2] = 0; y; })));
    for (int i = 0; i < 2; i++) {
        struct big z = i ? ({ y.a[0] = i; y; }) : ({ x; });
        printf("%ld\n", sum(z));
    }
    printf("%ld\n", sum(returned(&y)));
    printf("%d\n", leaves(&x));
    return 0;
}
