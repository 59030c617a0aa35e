// flags: -O2 -Wall
// What is known of a string's length where it bounds a copy: it is forgotten where memory may change, or ways meet.
typedef __SIZE_TYPE__ size_t;
size_t strlen(const char *);
int strcmp(const char *, const char *);
char *strncpy(char *, const char *, size_t);
void *malloc(size_t), *xmalloc(size_t), use(char *);
int more(void), counter;
char *line;
int pure(int) __attribute__((pure));
struct named { char *name; };

char *silent_call(const char *t) { size_t n = strlen(t); char *r = xmalloc(n + 9); strncpy(r, t, n + 1); use(r); return r; }
void silent_store(const char *t) { char *d = line; size_t n = strlen(t); counter = 3; strncpy(d + 1, t, n + 1); use(d); }
void silent_branch(const char *t) { char *d = line; size_t n = strlen(t); if (n > 10) more(); strncpy(d + 1, t, n + 1); use(d); }
void silent_loop(const char *t)
{
    char *d = line;
    size_t n = strlen(t);
    for (int i = 0; i < 4; i++) {
        strncpy(d + 1, t, n + 1);
        use(d);
    }
}
char *silent_ways(char *t, int c)
{
    size_t n = more();
    if (c == 1) {
        t = line;
        n = strlen(t);
    }
    char *r = xmalloc(n + 1);
    strncpy(r, t, n);
    use(r);
    return r;
}
char *silent_default(const char *t) { if (t == 0) t = ""; size_t n = strlen(t); char *r = xmalloc(n + 9); strncpy(r, t, n); use(r); return r; }
void silent_new(const char *t) { char *d = malloc(strlen(t) + 1); strncpy(d, t, strlen(t) + 1); use(d); }
void silent_new_member(struct named *p, const char *t) { p->name = malloc(strlen(t) + 1); strncpy(p->name, t, strlen(t) + 1); }
void silent_second(const char *t) { char *d; d = malloc(strlen(t) + 1); strncpy(d, t, strlen(t)); use(d); }

char *loud_call(const char *t) { size_t n = strlen(t); char *r = xmalloc(n + 1); strncpy(r, t, n); use(r); return r; }
void loud_loop(const char *t) { size_t n = strlen(t); while (more()) { char *r = xmalloc(n + 9); strncpy(r, t, n); use(r); } }
void loud_pure(const char *t) { char *d = line; size_t n = strlen(t); if (pure(2)) strncpy(d + 1, t, n + 1); use(d); }
void loud_compare(const char *t) { char *d = line; size_t n = strlen(t); if (strcmp(t, "abc")) strncpy(d + 1, t, n + 1); use(d); }
void loud_sum(const char *t) { char d[9]; size_t n = strlen(t) + 1; strncpy(d, t, n); use(d); }
void loud_unknown(const char *t) { char *d = xmalloc(strlen(t) + 1); strncpy(d, t, strlen(t) + 1); use(d); }
void loud_new(const char *t) { size_t n = strlen(t); char *d = malloc(n + 1); strncpy(d, t, n); use(d); }
