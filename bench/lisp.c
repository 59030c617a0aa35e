/* Measures: a small Lisp: a reader, an evaluator over cons cells with environments as lists, closures, and a mark-and-sweep
   collector with an explicit stack of roots. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { FREE, NUMBER, SYMBOL, CONS, BUILTIN, CLOSURE } Kind;
typedef enum { ADD, SUB, MUL, LESS, EQUAL, CAR, CDR, MAKE_CONS, IS_NIL } Builtin;

typedef struct Cell Cell;
struct Cell {
    uint8_t kind, marked;
    union {
        int64_t number; /* or the builtin's */
        const char *name;
        struct {
            Cell *first, *rest;
        } pair; /* a closure: (parameters . body) and its environment */
    } u;
};

enum { HEAP = 20000, ROOTS = 100000, SYMBOLS = 64 };

static Cell heap[HEAP], *free_cells, *roots[ROOTS], *symbols[SYMBOLS], *globals;
static int root_count, symbol_count;
static unsigned collections;
static Cell *sym_quote, *sym_if, *sym_lambda, *sym_define;

static void mark(Cell *c) {
    while (c && !c->marked) {
        c->marked = 1;
        if (c->kind != CONS && c->kind != CLOSURE)
            return;
        mark(c->u.pair.first);
        c = c->u.pair.rest;
    }
}

static void collect(void) {
    int left = 0;
    for (int i = 0; i < root_count; i++)
        mark(roots[i]);
    for (int i = 0; i < symbol_count; i++)
        mark(symbols[i]);
    mark(globals);
    free_cells = NULL;
    for (int i = 0; i < HEAP; i++) {
        if (heap[i].marked) {
            heap[i].marked = 0;
        } else {
            heap[i].kind = FREE;
            heap[i].u.pair.rest = free_cells;
            free_cells = &heap[i];
            left++;
        }
    }
    collections++;
    if (left < HEAP / 100) {
        fputs("lisp: heap exhausted\n", stderr);
        exit(1);
    }
}

static Cell *keep(Cell *c) {
    if (root_count == ROOTS) {
        fputs("lisp: too deep\n", stderr);
        exit(1);
    }
    return roots[root_count++] = c;
}

static Cell *cell_new(Kind kind) {
    if (!free_cells)
        collect();
    Cell *c = free_cells;
    free_cells = c->u.pair.rest;
    c->kind = (uint8_t)kind;
    return c;
}

static Cell *number(int64_t n) {
    Cell *c = cell_new(NUMBER);
    c->u.number = n;
    return c;
}

static Cell *pair(Kind kind, Cell *first, Cell *rest) {
    keep(first);
    keep(rest);
    Cell *c = cell_new(kind);
    c->u.pair.first = first;
    c->u.pair.rest = rest;
    root_count -= 2;
    return c;
}

static Cell *car(const Cell *c) {
    return c->u.pair.first;
}

static Cell *cdr(const Cell *c) {
    return c->u.pair.rest;
}

static Cell *symbol(const char *name, size_t length) {
    for (int i = 0; i < symbol_count; i++)
        if (strlen(symbols[i]->u.name) == length && memcmp(symbols[i]->u.name, name, length) == 0)
            return symbols[i];
    char *copy = calloc(length + 1, 1);
    if (!copy || symbol_count == SYMBOLS)
        exit(1);
    memcpy(copy, name, length);
    Cell *c = cell_new(SYMBOL);
    c->u.name = copy;
    return symbols[symbol_count++] = c;
}

static Cell *read_form(const char **text);

static Cell *read_list(const char **text) {
    while (isspace((unsigned char)**text))
        ++*text;
    if (**text == ')') {
        ++*text;
        return NULL;
    }
    Cell *first = keep(read_form(text)), *rest = read_list(text);
    root_count--;
    return pair(CONS, first, rest);
}

static Cell *read_form(const char **text) {
    while (isspace((unsigned char)**text))
        ++*text;
    if (**text == '(') {
        ++*text;
        return read_list(text);
    }
    const char *start = *text;
    while (**text && !isspace((unsigned char)**text) && **text != '(' && **text != ')')
        ++*text;
    return isdigit((unsigned char)*start) ? number(strtoll(start, NULL, 10)) : symbol(start, (size_t)(*text - start));
}

static Cell *lookup(const Cell *name, Cell *environment) {
    for (Cell *e = environment; e; e = cdr(e))
        if (car(car(e)) == name)
            return cdr(car(e));
    for (Cell *e = globals; e; e = cdr(e))
        if (car(car(e)) == name)
            return cdr(car(e));
    fprintf(stderr, "lisp: %s is not bound\n", name->u.name);
    exit(1);
}

static Cell *call_builtin(Builtin b, Cell *arguments) {
    Cell *x = car(arguments), *y = cdr(arguments) ? car(cdr(arguments)) : NULL;
    switch (b) {
    case ADD: return number(x->u.number + y->u.number);
    case SUB: return number(x->u.number - y->u.number);
    case MUL: return number(x->u.number * y->u.number % 1000003);
    case LESS: return x->u.number < y->u.number ? x : NULL;
    case EQUAL: return x->u.number == y->u.number ? x : NULL;
    case CAR: return car(x);
    case CDR: return cdr(x);
    case MAKE_CONS: return pair(CONS, x, y);
    case IS_NIL: return x ? NULL : sym_quote;
    }
    return NULL;
}

static Cell *evaluate(Cell *form, Cell *environment) {
    int base = root_count;
    keep(form);
    keep(environment);
    for (;;) {
        Cell *result = form;
        if (form && form->kind == SYMBOL) {
            result = lookup(form, environment);
        } else if (form && form->kind == CONS) {
            Cell *head = car(form), *rest = cdr(form);
            if (head == sym_if) {
                form = evaluate(car(rest), environment) ? car(cdr(rest)) : car(cdr(cdr(rest)));
                continue;
            }
            if (head == sym_quote) {
                result = car(rest);
            } else if (head == sym_lambda) {
                result = pair(CLOSURE, rest, environment);
            } else if (head == sym_define) {
                Cell *binding = pair(CONS, car(rest), evaluate(car(cdr(rest)), environment));
                globals = pair(CONS, binding, globals);
                result = car(rest);
            } else {
                Cell *function = keep(evaluate(head, environment)), *arguments = NULL;
                int slot = root_count;
                keep(NULL);
                keep(NULL);
                Cell *last = NULL;
                for (; rest; rest = cdr(rest)) {
                    Cell *link = pair(CONS, evaluate(car(rest), environment), NULL);
                    if (last)
                        last->u.pair.rest = link;
                    else
                        arguments = roots[slot] = link;
                    last = link;
                }
                if (function->kind == CLOSURE) {
                    Cell *scope = cdr(function), *names = car(car(function));
                    for (; names; names = cdr(names), arguments = cdr(arguments)) {
                        Cell *binding = pair(CONS, car(names), car(arguments));
                        scope = roots[slot + 1] = pair(CONS, binding, scope);
                    }
                    form = car(cdr(car(function)));
                    environment = scope;
                    root_count = base;
                    keep(form);
                    keep(environment);
                    continue;
                }
                result = call_builtin((Builtin)function->u.number, arguments);
            }
        }
        root_count = base;
        return result;
    }
}

int main(void) {
    static const char *const builtins[] = {"+", "-", "*", "<", "=", "car", "cdr", "cons", "nil?"};
    static const char program[] =
        "(define fib (lambda (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))"
        "(define range (lambda (a b) (if (< a b) (cons a (range (+ a 1) b)) (quote ()))))"
        "(define map (lambda (f l) (if (nil? l) l (cons (f (car l)) (map f (cdr l))))))"
        "(define fold (lambda (f x l) (if (nil? l) x (fold f (f x (car l)) (cdr l)))))"
        "(define compose (lambda (f g) (lambda (x) (f (g x)))))"
        "(define square (lambda (x) (* x x)))"
        "(define loop (lambda (n s) (if (= n 0) s (loop (- n 1)"
        "  (+ s (fold (lambda (a b) (+ a b)) 0 (map (compose square square) (range 0 100))))))))"
        "(fib 27) (loop 3000 0)";
    for (int i = 0; i < HEAP; i++) {
        heap[i].u.pair.rest = free_cells;
        free_cells = &heap[i];
    }
    sym_quote = symbol("quote", 5);
    sym_if = symbol("if", 2);
    sym_lambda = symbol("lambda", 6);
    sym_define = symbol("define", 6);
    for (int i = 0; i < 9; i++) {
        Cell *b = cell_new(BUILTIN);
        b->u.number = i;
        globals = pair(CONS, pair(CONS, symbol(builtins[i], strlen(builtins[i])), b), globals);
    }
    printf("lisp");
    for (const char *text = program; *text;) {
        const Cell *value = evaluate(read_form(&text), NULL);
        if (value && value->kind == NUMBER)
            printf(" %lld", (long long)value->u.number);
    }
    printf(" collections %u\n", collections);
    for (int i = 0; i < symbol_count; i++)
        free((char *)symbols[i]->u.name);
    return 0;
}
