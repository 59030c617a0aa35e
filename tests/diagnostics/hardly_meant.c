// flags: -c -Wall -Wextra -Wjump-misses-init -Wcast-align=strict -Winit-self
typedef unsigned long size_t;
size_t strlen(const char *);
void *memcpy(void *, const void *, size_t);
int abs(int);
long labs(long);
double fabs(double);
static int unused, set_once = 1, named;
static const int limit = 3;
static const char version[] = "1";
static volatile int status;
static int kept __attribute__((unused));
static int only_set;
void set(void) { only_set = 1; }
static int aliased = 4;
extern int other_name __attribute__((alias("aliased")));
int const const doubled = 1;
int static late;
static int inline twice(int a) { return a + a + sizeof named + late; }

int values(int *p, unsigned u, long l, double d, float f)
{
    int here[4], there[4];
    short other = sizeof here / sizeof(short) + sizeof here / (sizeof(short)) + sizeof here / sizeof here[0];
    other += sizeof p / sizeof *p + sizeof p / sizeof(long);
    if (here == there)
        other++;
    other += abs(u) + abs(d) + labs(l) + abs(l) + fabs(l) + fabs(f) + abs(other);
    return other + *(long *)p + *(char *)p;
}

void nulls(char *s)
{
    memcpy(s, 0, 1);
    memcpy((void *)0, s, strlen((char *)0));
}

int jumps(int a)
{
    switch (a) {
        int inside = 1;
    case 1:
        return inside;
    }
    switch (a) {
        a = 2;
    case 2:
        a = 3;
        break;
    }
    if (a)
        goto out;
    int skipped = a;
    a += skipped;
out:
    return a;
}

int from_itself(void)
{
    int self = self;
    return self;
}
