/* Measures: regular expressions, compiled to a nondeterministic automaton and simulated with lists of states (Thompson 1968), and
   matched by backtracking: tiny loops over bytes and indices. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STATES = 256 };

typedef enum { CHAR, ANY, SET, SPLIT, JUMP, MATCH } Op;

typedef struct {
    Op op;
    unsigned char c;
    int x, y;
    uint64_t set[4];
} State;

typedef struct {
    State states[MAX_STATES];
    int count;
    const char *at;
} Program;

static int emit(Program *p, Op op, int x, int y) {
    p->states[p->count] = (State){.op = op, .x = x, .y = y};
    return p->count++;
}

static void insert_at(Program *p, int at, Op op, int x, int y) {
    memmove(&p->states[at + 1], &p->states[at], (size_t)(p->count - at) * sizeof(State));
    p->count++;
    for (int i = at + 1; i < p->count; i++) {
        State *s = &p->states[i];
        if (s->op == SPLIT || s->op == JUMP) {
            s->x += s->x >= at;
            s->y += s->y >= at;
        }
    }
    p->states[at] = (State){.op = op, .x = x, .y = y};
}

static void alternatives(Program *p);

static void atom(Program *p) {
    char c = *p->at++;
    if (c == '(') {
        alternatives(p);
        p->at++;
    } else if (c == '.') {
        emit(p, ANY, 0, 0);
    } else if (c == '[') {
        State *s = &p->states[emit(p, SET, 0, 0)];
        for (; *p->at != ']'; p->at++) {
            unsigned char low = (unsigned char)p->at[0], high = low;
            if (p->at[1] == '-') {
                high = (unsigned char)p->at[2];
                p->at += 2;
            }
            for (unsigned v = low; v <= high; v++)
                s->set[v / 64] |= (uint64_t)1 << v % 64;
        }
        p->at++;
    } else {
        p->states[emit(p, CHAR, 0, 0)].c = (unsigned char)c;
    }
}

static void sequence(Program *p) {
    while (*p->at && *p->at != '|' && *p->at != ')') {
        int start = p->count;
        atom(p);
        if (*p->at == '*') {
            insert_at(p, start, SPLIT, start + 1, p->count + 2);
            emit(p, JUMP, start, 0);
            p->at++;
        } else if (*p->at == '+') {
            emit(p, SPLIT, start, p->count + 1);
            p->at++;
        } else if (*p->at == '?') {
            insert_at(p, start, SPLIT, start + 1, p->count + 1);
            p->at++;
        }
    }
}

static void alternatives(Program *p) {
    int start = p->count;
    sequence(p);
    while (*p->at == '|') {
        p->at++;
        insert_at(p, start, SPLIT, start + 1, p->count + 2);
        int jump = emit(p, JUMP, 0, 0);
        sequence(p);
        p->states[jump].x = p->count;
    }
}

static int accepts(const State *s, unsigned char c) {
    switch (s->op) {
    case CHAR: return s->c == c;
    case ANY: return 1;
    case SET: return (int)(s->set[c / 64] >> c % 64 & 1);
    default: return 0;
    }
}

typedef struct {
    int list[MAX_STATES], count;
    unsigned mark[MAX_STATES], generation;
} Set;

static void add(const Program *p, Set *set, int state) {
    while (set->mark[state] != set->generation) {
        set->mark[state] = set->generation;
        const State *s = &p->states[state];
        if (s->op == JUMP) {
            state = s->x;
        } else if (s->op == SPLIT) {
            add(p, set, s->x);
            state = s->y;
        } else {
            set->list[set->count++] = state;
            return;
        }
    }
}

/* Number of places in the text where a match ends, matches beginning anywhere. */
static int count_ends(const Program *p, const char *text) {
    static Set sets[2];
    Set *now = &sets[0], *then = &sets[1];
    int ends = 0;
    now->generation++;
    now->count = 0;
    for (; *text; text++) {
        add(p, now, 0);
        then->generation++;
        then->count = 0;
        for (int i = 0; i < now->count; i++)
            if (accepts(&p->states[now->list[i]], (unsigned char)*text))
                add(p, then, now->list[i] + 1);
        Set *t = now;
        now = then;
        then = t;
        for (int i = 0; i < now->count; i++)
            ends += p->states[now->list[i]].op == MATCH;
    }
    return ends;
}

static const char *backtrack(const Program *p, int state, const char *text) {
    for (;;) {
        const State *s = &p->states[state];
        if (s->op == MATCH)
            return text;
        if (s->op == JUMP) {
            state = s->x;
        } else if (s->op == SPLIT) {
            const char *end = backtrack(p, s->x, text);
            if (end)
                return end;
            state = s->y;
        } else {
            if (!*text || !accepts(s, (unsigned char)*text))
                return NULL;
            text++;
            state++;
        }
    }
}

int main(void) {
    static const char *const patterns[] = {"[a-z]+ing", "(foo|bar|baz)+", "a.?b.?c", "[0-9]+(.[0-9]+)?", "x*y+z", "(th|sh)[aeiou]+[b-d]"};
    enum { SIZE = 1200000 };
    static Program programs[sizeof patterns / sizeof *patterns];
    char *text = malloc(SIZE + 1);
    if (!text)
        return 1;
    uint32_t seed = 21, hash = 0;
    for (int i = 0; i < SIZE; i++) {
        seed = seed * 1664525u + 1013904223u;
        text[i] = "abcdefooobaringthshxyz0123 .aeiou"[(seed >> 16) % 33];
    }
    text[SIZE] = '\0';
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        Program *p = &programs[i];
        p->at = patterns[i];
        alternatives(p);
        emit(p, MATCH, 0, 0);
        for (int round = 0; round < 3; round++)
            hash = hash * 31 + (uint32_t)count_ends(p, text + round);
        long matched = 0;
        for (const char *at = text; *at; at++) {
            const char *end = backtrack(p, 0, at);
            matched += end ? end - at : 0;
        }
        printf("%-24s %d states, %ld\n", patterns[i], p->count, matched);
        hash = hash * 31 + (uint32_t)matched;
    }
    printf("regex %08x\n", (unsigned)hash);
    free(text);
    return 0;
}
