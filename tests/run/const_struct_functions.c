// Functions without effects that return structures in memory write them in every call; those that return numbers are called once.
#include <ctype.h>
#include <stdio.h>

struct wide { long a, b, c, d; };

__attribute__((const, noinline)) static struct wide wide(int x) {
    return (struct wide){x, x + 1, x + 2, x + 3};
}

__attribute__((pure, noinline)) static struct wide from(const long *p) {
    return (struct wide){p[0], p[1], p[2], p[3]};
}

static int calls;
__attribute__((noinline)) static int counted(int x) { return calls++, x * x; }
__attribute__((const)) int counted_as_const(int) __attribute__((alias("counted")));

int main(void) {
    struct wide s = {9, 9, 9, 9};
    long total = s.a;
    s = wide(1);
    total += s.a * 10;
    s = wide(2);
    total += s.a * 100;
    for (int i = 0; i < 3; i++) {
        s = wide(i);
        total += s.d * 1000;
    }
    long numbers[5] = {1, 2, 3, 4, 5};
    s = from(numbers);
    total += s.b;
    numbers[1] = 50;
    s = from(numbers);
    printf("%ld\n", total + s.b);
    int upper = 0, digits = 0;
    for (const char *p = "Const Functions 1 And 2"; *p; p++) {
        if (isupper((unsigned char)*p)) upper++;
        if (isdigit((unsigned char)*p) || isspace((unsigned char)*p)) digits++;
    }
    printf("%d %d\n", upper, digits);
    long sum = 0;
    for (int i = 0; i < 10; i++) sum += counted_as_const(7);
    printf("%ld %d\n", sum, calls <= 10);
    return 0;
}
