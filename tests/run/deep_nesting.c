// Thousands of levels of everything that nests, and of everything that only looks as if it did.
#include <stdio.h>

#define T(x) x x x x x x x x x x
#define MANY(x) T(T(T(T(x))))
#define OPEN0 (
#define OPEN1 OPEN0 OPEN0 OPEN0 OPEN0 OPEN0 OPEN0 OPEN0 OPEN0 OPEN0 OPEN0
#define OPEN2 OPEN1 OPEN1 OPEN1 OPEN1 OPEN1 OPEN1 OPEN1 OPEN1 OPEN1 OPEN1
#define OPEN3 OPEN2 OPEN2 OPEN2 OPEN2 OPEN2 OPEN2 OPEN2 OPEN2 OPEN2 OPEN2
#define OPEN4 OPEN3 OPEN3 OPEN3 OPEN3 OPEN3 OPEN3 OPEN3 OPEN3 OPEN3 OPEN3
#define CLOSE0 )
#define CLOSE1 CLOSE0 CLOSE0 CLOSE0 CLOSE0 CLOSE0 CLOSE0 CLOSE0 CLOSE0 CLOSE0 CLOSE0
#define CLOSE2 CLOSE1 CLOSE1 CLOSE1 CLOSE1 CLOSE1 CLOSE1 CLOSE1 CLOSE1 CLOSE1 CLOSE1
#define CLOSE3 CLOSE2 CLOSE2 CLOSE2 CLOSE2 CLOSE2 CLOSE2 CLOSE2 CLOSE2 CLOSE2 CLOSE2
#define CLOSE4 CLOSE3 CLOSE3 CLOSE3 CLOSE3 CLOSE3 CLOSE3 CLOSE3 CLOSE3 CLOSE3 CLOSE3
#define PLUS0 + 1 )
#define PLUS1 PLUS0 PLUS0 PLUS0 PLUS0 PLUS0 PLUS0 PLUS0 PLUS0 PLUS0 PLUS0
#define PLUS2 PLUS1 PLUS1 PLUS1 PLUS1 PLUS1 PLUS1 PLUS1 PLUS1 PLUS1 PLUS1
#define PLUS3 PLUS2 PLUS2 PLUS2 PLUS2 PLUS2 PLUS2 PLUS2 PLUS2 PLUS2 PLUS2
#define PLUS4 PLUS3 PLUS3 PLUS3 PLUS3 PLUS3 PLUS3 PLUS3 PLUS3 PLUS3 PLUS3
#define CALL0 same (
#define CALL1 CALL0 CALL0 CALL0 CALL0 CALL0 CALL0 CALL0 CALL0 CALL0 CALL0
#define CALL2 CALL1 CALL1 CALL1 CALL1 CALL1 CALL1 CALL1 CALL1 CALL1 CALL1
#define CALL3 CALL2 CALL2 CALL2 CALL2 CALL2 CALL2 CALL2 CALL2 CALL2 CALL2
#define CALL4 CALL3 CALL3 CALL3 CALL3 CALL3 CALL3 CALL3 CALL3 CALL3 CALL3
#define ASK0 x > depth ? 1 + (
#define ASK1 ASK0 ASK0 ASK0 ASK0 ASK0 ASK0 ASK0 ASK0 ASK0 ASK0
#define ASK2 ASK1 ASK1 ASK1 ASK1 ASK1 ASK1 ASK1 ASK1 ASK1 ASK1
#define ASK3 ASK2 ASK2 ASK2 ASK2 ASK2 ASK2 ASK2 ASK2 ASK2 ASK2
#define ASK4 ASK3 ASK3 ASK3 ASK3 ASK3 ASK3 ASK3 ASK3 ASK3 ASK3
#define ELSE0 ) : 0
#define ELSE1 ELSE0 ELSE0 ELSE0 ELSE0 ELSE0 ELSE0 ELSE0 ELSE0 ELSE0 ELSE0
#define ELSE2 ELSE1 ELSE1 ELSE1 ELSE1 ELSE1 ELSE1 ELSE1 ELSE1 ELSE1 ELSE1
#define ELSE3 ELSE2 ELSE2 ELSE2 ELSE2 ELSE2 ELSE2 ELSE2 ELSE2 ELSE2 ELSE2
#define ELSE4 ELSE3 ELSE3 ELSE3 ELSE3 ELSE3 ELSE3 ELSE3 ELSE3 ELSE3 ELSE3

static int depth;

static int blocks(int x) {
    MANY({) x += 2; MANY(}) return x;
}

static int conditions(int x) {
    MANY(if (x > depth) {) x ^= 5; MANY(}) return x;
}

static int loops(int x) {
    MANY(do {) x -= 1; MANY(} while (x > 1000);) return x;
}

static int parentheses(int x) {
    return OPEN4 x PLUS4;
}

static int same(int x) { return x; }

static int calls(int x) {
    return CALL4 x CLOSE4;
}

static int conditionals(int x) {
    return ASK4 x ELSE4;
}

static int subscripts(int *p) {
    return MANY(p[) 0 MANY(]);
}

static int prefixes(int x) {
    return MANY(- ~) x;
}

static int chain(int x) {
    return x MANY(+ x);
}

static int alternatives(int x) {
    MANY(if (x == depth) return 1; else) return 2;
}

int main(void) {
    int next[] = {1, 2, 0};
    printf("%d %d %d\n", blocks(1), conditions(2), loops(3));
    printf("%d %d %d\n", parentheses(4), calls(5), conditionals(6));
    printf("%d %d %d %d\n", subscripts(next), prefixes(7), chain(8), alternatives(9));
    return 0;
}
