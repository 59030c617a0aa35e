/* Measures: precedence-climbing parsing of arithmetic expressions into a tree, constant folding on it, evaluation of the tree and of a
   postfix form with different variable values: recursion, switches on small enums. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef enum { NUMBER, VARIABLE, NEGATE, ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER, LESS, AND, OR } Kind;

typedef struct Node Node;
struct Node {
    Kind kind;
    int64_t value; /* of a number; index of a variable */
    Node *left, *right;
};

enum { MAX_NODES = 4096, VARIABLES = 26, MAX_CODE = 4096 };

typedef struct {
    const char *at;
    Node nodes[MAX_NODES];
    int used;
} Parser;

static Node *node_new(Parser *p, Kind kind, int64_t value, Node *left, Node *right) {
    Node *n = &p->nodes[p->used++];
    *n = (Node){kind, value, left, right};
    return n;
}

static int precedence(char c, Kind *kind) {
    switch (c) {
    case '|': *kind = OR; return 1;
    case '&': *kind = AND; return 2;
    case '<': *kind = LESS; return 3;
    case '+': *kind = ADD; return 4;
    case '-': *kind = SUBTRACT; return 4;
    case '*': *kind = MULTIPLY; return 5;
    case '/': *kind = DIVIDE; return 5;
    case '%': *kind = REMAINDER; return 5;
    default: return 0;
    }
}

static int64_t apply(Kind kind, int64_t a, int64_t b) {
    switch (kind) {
    case NEGATE: return (int64_t)(0 - (uint64_t)a);
    case ADD: return (int64_t)((uint64_t)a + (uint64_t)b);
    case SUBTRACT: return (int64_t)((uint64_t)a - (uint64_t)b);
    case MULTIPLY: return (int64_t)((uint64_t)a * (uint64_t)b);
    case DIVIDE: return b == 0 || b == -1 ? 0 : a / b;
    case REMAINDER: return b == 0 || b == -1 ? 0 : a % b;
    case LESS: return a < b;
    case AND: return a & b;
    case OR: return a | b;
    default: return 0;
    }
}

static Node *parse(Parser *p, int least);

static Node *primary(Parser *p) {
    while (*p->at == ' ')
        p->at++;
    if (*p->at == '(') {
        p->at++;
        Node *n = parse(p, 1);
        p->at++;
        return n;
    }
    if (*p->at == '-') {
        p->at++;
        Node *operand = primary(p);
        return node_new(p, NEGATE, 0, operand, NULL);
    }
    if (isalpha((unsigned char)*p->at))
        return node_new(p, VARIABLE, *p->at++ - 'a', NULL, NULL);
    int64_t value = 0;
    while (isdigit((unsigned char)*p->at))
        value = value * 10 + (*p->at++ - '0');
    return node_new(p, NUMBER, value, NULL, NULL);
}

static Node *parse(Parser *p, int least) {
    Node *left = primary(p);
    for (;;) {
        Kind kind;
        while (*p->at == ' ')
            p->at++;
        int level = precedence(*p->at, &kind);
        if (level < least || level == 0)
            return left;
        p->at++;
        Node *right = parse(p, level + 1);
        if (left->kind == NUMBER && right->kind == NUMBER)
            left = node_new(p, NUMBER, apply(kind, left->value, right->value), NULL, NULL);
        else
            left = node_new(p, kind, 0, left, right);
    }
}

static int64_t evaluate(const Node *n, const int64_t *variables) {
    if (n->kind == NUMBER)
        return n->value;
    if (n->kind == VARIABLE)
        return variables[n->value];
    return apply(n->kind, evaluate(n->left, variables), n->right ? evaluate(n->right, variables) : 0);
}

typedef struct {
    int64_t value;
    Kind kind;
} Step;

static int flatten(const Node *n, Step *code, int at) {
    if (n->left)
        at = flatten(n->left, code, at);
    if (n->right)
        at = flatten(n->right, code, at);
    code[at] = (Step){n->value, n->kind};
    return at + 1;
}

static int64_t run(const Step *code, int count, const int64_t *variables) {
    int64_t stack[64], *top = stack;
    for (const Step *s = code; s < code + count; s++) {
        if (s->kind == NUMBER) {
            *top++ = s->value;
        } else if (s->kind == VARIABLE) {
            *top++ = variables[s->value];
        } else if (s->kind == NEGATE) {
            top[-1] = apply(NEGATE, top[-1], 0);
        } else {
            top--;
            top[-1] = apply(s->kind, top[-1], top[0]);
        }
    }
    return stack[0];
}

int main(void) {
    static const char *const texts[] = {
        "(a + b * 3 - c / 7) * (d % 13 + 2 * 4) - -e",
        "a*a + b*b < c*c | (x & 255) * 17 % (y + 1)",
        "((((a+1)*2+b)*3+c)*4+d)*5 + 6*7*8 - (z < 100) * 1000",
        "x*x*x*x - 4*x*x*x + 6*x*x - 4*x + 1 + (y - 3) / (1 + 2)",
        "1 + 2 * 3 - 4 / 2 + (a | b | c & d) - (a < b) + (b < c) * -(c - d)",
    };
    enum { TEXTS = sizeof texts / sizeof *texts };
    static Parser p;
    static Step code[MAX_CODE];
    uint64_t sum = 0;
    for (int round = 0; round < 8000; round++) {
        const char *text = texts[round % TEXTS];
        p.at = text;
        p.used = 0;
        const Node *tree = parse(&p, 1);
        int count = flatten(tree, code, 0);
        int64_t variables[VARIABLES];
        for (int i = 0; i < VARIABLES; i++)
            variables[i] = i * 31 + round;
        for (int i = 0; i < 400; i++) {
            variables[i % VARIABLES] += i;
            int64_t by_tree = evaluate(tree, variables);
            if (by_tree != run(code, count, variables))
                return 1;
            sum = sum * 31 + (uint64_t)by_tree;
        }
    }
    printf("expression %016llx\n", (unsigned long long)sum);
    return 0;
}
