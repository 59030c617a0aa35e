// flags: -c -O2 -Wall
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
void sink(void *);
int *global;

void too_small(char *q, int n)
{
    char buf[8], exact[6];
    const int size = 9;
    memcpy(buf, q, 20), sink(buf);
    memcpy(buf + 4, q, 5), sink(buf);
    strcpy(buf, "hello world"), sink(buf);
    strcpy(exact, "hello"), sink(exact);
    memset(buf, 0, size), sink(buf);
    strncpy(buf, q, sizeof exact), sink(buf);
    if (sizeof buf > 8)
        memset(buf, 0, 9);
    memset(buf, 0, n), sink(buf);
    char *p = malloc(10);
    memset(p, 0, 11), sink(p);
    memcpy(q, p, 12);
    free(p);
    sink(p);
}

void not_allocated(int c)
{
    char local[4];
    free(local);
    free("text");
    char *p = malloc(4), *r = local, *either = local;
    free(p + 1);
    free(r);
    if (c)
        either = malloc(c);
    if (either != local)
        free(either);
}

struct list { struct list *next; int value; };

int freed(int *p, int c, struct list *l, struct list *m)
{
    while (m) {
        struct list *next = m->next;
        free(m);
        m = next;
    }
    for (; l; l = l->next)
        free(l);
    free(p);
    if (p == 0)
        return 1;
    if (c)
        return *p;
    p = &c;
    return *p;
}

int ended(void)
{
    int *p;
    {
        int x = 1;
        p = &x;
        sink(p);
    }
    return *p;
}

int *local_address(void)
{
    int x = 1;
    int *p = &x;
    return p;
}

void left_behind(int **to)
{
    int y = 2, z = 3;
    *to = &y;
    global = &z;
}

void taken_back(int **to)
{
    int y = 2, z = 3;
    *to = &y;
    global = &z;
    *to = 0;
    global = 0;
}

void used_by_call(int **to)
{
    int y = 2;
    *to = &y;
    sink(to);
}
