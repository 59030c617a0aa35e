/* Measures: parsing JSON text into a tree, walking the tree, and printing it again: a recursive-descent parser on characters,
   allocation of nodes, number conversion. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { NUL, BOOL, NUMBER, STRING, ARRAY, OBJECT } Kind;

typedef struct Value Value;
struct Value {
    Kind kind;
    Value *next; /* in the array or object */
    char *key;
    union {
        int boolean;
        double number;
        char *string;
        Value *first;
    } u;
};

typedef struct {
    const char *at;
    int failed;
} Parser;

static void *check(void *p) {
    if (!p) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return p;
}

static void skip_space(Parser *p) {
    while (*p->at == ' ' || *p->at == '\n' || *p->at == '\t' || *p->at == '\r')
        p->at++;
}

static int accept(Parser *p, char c) {
    skip_space(p);
    if (*p->at != c)
        return 0;
    p->at++;
    return 1;
}

static char *parse_string(Parser *p) {
    const char *end = p->at;
    while (*end && *end != '"')
        end += *end == '\\' ? 2 : 1;
    char *text = check(malloc((size_t)(end - p->at) + 1)), *out = text;
    while (p->at < end) {
        char c = *p->at++;
        if (c == '\\') {
            c = *p->at++;
            switch (c) {
            case 'n': c = '\n'; break;
            case 't': c = '\t'; break;
            default: break;
            }
        }
        *out++ = c;
    }
    *out = '\0';
    p->at++;
    return text;
}

static double parse_number(Parser *p) {
    double sign = 1, value = 0, scale = 1;
    if (*p->at == '-') {
        sign = -1;
        p->at++;
    }
    for (; *p->at >= '0' && *p->at <= '9'; p->at++)
        value = value * 10 + (*p->at - '0');
    if (*p->at == '.')
        for (p->at++; *p->at >= '0' && *p->at <= '9'; p->at++) {
            value = value * 10 + (*p->at - '0');
            scale *= 10;
        }
    return sign * value / scale;
}

static Value *parse_value(Parser *p);

static Value *parse_members(Parser *p, char close, int keyed) {
    Value *first = NULL, **tail = &first;
    if (accept(p, close))
        return NULL;
    do {
        char *key = NULL;
        if (keyed) {
            p->failed |= !accept(p, '"');
            key = parse_string(p);
            p->failed |= !accept(p, ':');
        }
        Value *v = parse_value(p);
        v->key = key;
        *tail = v;
        tail = &v->next;
    } while (!p->failed && accept(p, ','));
    p->failed |= !accept(p, close);
    return first;
}

static Value *parse_value(Parser *p) {
    Value *v = check(calloc(1, sizeof *v));
    skip_space(p);
    switch (*p->at) {
    case '{': p->at++; v->kind = OBJECT; v->u.first = parse_members(p, '}', 1); break;
    case '[': p->at++; v->kind = ARRAY; v->u.first = parse_members(p, ']', 0); break;
    case '"': p->at++; v->kind = STRING; v->u.string = parse_string(p); break;
    case 't': p->at += 4; v->kind = BOOL; v->u.boolean = 1; break;
    case 'f': p->at += 5; v->kind = BOOL; break;
    case 'n': p->at += 4; v->kind = NUL; break;
    default: v->kind = NUMBER; v->u.number = parse_number(p); break;
    }
    return v;
}

static char *print_value(char *out, const Value *v) {
    if (v->key)
        out += sprintf(out, "\"%s\":", v->key);
    switch (v->kind) {
    case NUL: return out + sprintf(out, "null");
    case BOOL: return out + sprintf(out, v->u.boolean ? "true" : "false");
    case NUMBER: return out + sprintf(out, "%.6g", v->u.number);
    case STRING: return out + sprintf(out, "\"%s\"", v->u.string);
    case ARRAY:
    case OBJECT: break;
    }
    *out++ = v->kind == ARRAY ? '[' : '{';
    for (const Value *m = v->u.first; m; m = m->next) {
        out = print_value(out, m);
        if (m->next)
            *out++ = ',';
    }
    *out++ = v->kind == ARRAY ? ']' : '}';
    *out = '\0';
    return out;
}

static double total(const Value *v) {
    double sum = v->kind == NUMBER ? v->u.number : 1;
    if (v->kind == ARRAY || v->kind == OBJECT)
        for (const Value *m = v->u.first; m; m = m->next)
            sum += total(m) * (m->key && strcmp(m->key, "price") == 0 ? 3 : 1);
    return sum;
}

static void release(Value *v) {
    if (v->kind == STRING)
        free(v->u.string);
    if (v->kind == ARRAY || v->kind == OBJECT)
        for (Value *m = v->u.first, *next; m; m = next) {
            next = m->next;
            release(m);
        }
    free(v->key);
    free(v);
}

int main(void) {
    enum { RECORDS = 3000 };
    char *text = check(malloc(RECORDS * 200)), *again = check(malloc(RECORDS * 200)), *out = text;
    *out++ = '[';
    for (int i = 0; i < RECORDS; i++)
        out += sprintf(out, "%s {\"id\": %d, \"name\": \"item %d \\\"%c\\\"\", \"price\": %d.%02d,\n  \"tags\": [\"a%d\", \"b\", %s], \"size\": {\"w\": -%d, \"h\": %d}}",
                       i ? "," : "", i, i * 7919 % 1000, 'a' + i % 26, i % 900, i % 100, i % 13, i % 3 ? "true" : "null", i % 50, i % 77);
    strcpy(out, "]");
    double sum = 0;
    size_t length = 0;
    for (int round = 0; round < 180; round++) {
        Parser p = {text, 0};
        Value *v = parse_value(&p);
        if (p.failed)
            return 1;
        sum += total(v);
        if (round % 12 == 0)
            length += (size_t)(print_value(again, v) - again);
        release(v);
    }
    printf("json %.3f %zu\n", sum, length);
    free(text);
    free(again);
    return 0;
}
