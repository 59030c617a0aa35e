// flags: -c -O1 -Wextra
// Variables that a second return of setjmp or vfork may take back: those that are set more than once, wanted after it, and neither volatile nor in memory.
typedef long jmp_buf[25];
int setjmp(jmp_buf);
int vfork(void);
extern void g(void);
extern int h(int);
extern int quiet(int) __attribute__((const));
static jmp_buf b;

int set_after(int n) {
    int x = 0;
    if (setjmp(b))
        return x;
    x = n;
    g();
    return x + 1;
}

int in_a_loop(int n) {
    for (int i = 0; i < n; i++)
        if (setjmp(b) == 0)
            h(i);
    return 0;
}

int set_between(int n) {
    int x = 0;
    x += h(2);
    if (!setjmp(b)) {
        x++;
        g();
    }
    return x;
}

int counted_down(int n) {
    int r;
    while ((r = setjmp(b)) != 0) {
        n--;
        if (n < 0)
            return r;
    }
    g();
    return n;
}

int in_a_child(int n) {
    int status = n;
    if (vfork() == 0) {
        status = h(n);
        g();
    }
    return status;
}

/* Not said: chosen among a value and a constant, wanted by the first return alone, set once, volatile, set before it is wanted, in memory, without calls that jump. */
int chosen(int n) {
    if (n)
        n = 3;
    if (setjmp(b))
        return 0;
    g();
    return n;
}

double argument(double d) {
    if (d < 0)
        d = -d;
    if (setjmp(b))
        return 0;
    g();
    return d;
}

int set_once(void) {
    int x = h(1);
    if (setjmp(b))
        return x;
    g();
    return x;
}

int is_volatile(int n) {
    volatile int x = 0;
    if (setjmp(b))
        return x;
    x = n;
    g();
    return x;
}

int set_first(int n) {
    int x = 0;
    if (setjmp(b))
        return 1;
    x = n;
    g();
    return x;
}

int in_memory(int n) {
    int x = 0;
    int *p = &x;
    h((int)(long)p);
    if (setjmp(b))
        return x;
    x = n;
    g();
    return x;
}

int no_jump(int n) {
    int x = 0;
    if (setjmp(b))
        return x;
    x = quiet(n);
    return x;
}

int by_switch(int n) {
    int r = 0;
    switch (setjmp(b)) {
    case 0: r = h(n); break;
    case 1: r = 2; break;
    }
    return r;
}
