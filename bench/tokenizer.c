/* Measures: a lexer for C-like text: character classes from a table, keyword lookup by a perfect-enough hash, identifier interning,
   numbers, and counting by kind. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { END, IDENTIFIER, KEYWORD, INTEGER, FLOATING, STRING, OPERATOR, KINDS } Kind;

typedef struct {
    Kind kind;
    const char *start;
    int length;
    uint32_t value;
} Token;

enum { LETTER = 1, DIGIT = 2, SPACE = 4, PUNCTUATION = 8, NAMES = 1 << 12 };
static uint8_t classes[256];

typedef struct {
    const char *text;
    int length;
} Name;

static Name names[NAMES];
static uint32_t name_count;

static const char *const keywords[] = {"int", "char", "if", "else", "while", "for", "return", "struct", "static", "void", "break", "switch"};

static void init_classes(void) {
    for (int c = 0; c < 256; c++) {
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')
            classes[c] = LETTER;
        else if (c >= '0' && c <= '9')
            classes[c] = DIGIT;
        else if (c == ' ' || c == '\n' || c == '\t')
            classes[c] = SPACE;
        else if (c > ' ' && c < 127)
            classes[c] = PUNCTUATION;
    }
}

static uint8_t class_of(char c) {
    return classes[(unsigned char)c];
}

static uint32_t intern(const char *text, int length) {
    uint32_t hash = 5381;
    for (int i = 0; i < length; i++)
        hash = hash * 33 ^ (unsigned char)text[i];
    uint32_t slot = hash % NAMES;
    while (names[slot].text && (names[slot].length != length || memcmp(names[slot].text, text, (size_t)length) != 0))
        slot = (slot + 1) % NAMES;
    if (!names[slot].text) {
        names[slot] = (Name){text, length};
        name_count++;
    }
    return slot;
}

static int is_keyword(const char *text, int length) {
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (keywords[i][0] == text[0] && strncmp(keywords[i], text, (size_t)length) == 0 && keywords[i][length] == '\0')
            return 1;
    return 0;
}

static const char *skip_blank(const char *p) {
    for (;;) {
        while (class_of(*p) & SPACE)
            p++;
        if (p[0] == '/' && p[1] == '*') {
            for (p += 2; !(p[0] == '*' && p[1] == '/'); p++) {
            }
            p += 2;
        } else if (p[0] == '/' && p[1] == '/') {
            while (*p && *p != '\n')
                p++;
        } else {
            return p;
        }
    }
}

static const char *next_token(const char *p, Token *t) {
    p = skip_blank(p);
    t->start = p;
    t->value = 0;
    if (class_of(*p) & LETTER) {
        while (class_of(*p) & (LETTER | DIGIT))
            p++;
        t->length = (int)(p - t->start);
        t->kind = is_keyword(t->start, t->length) ? KEYWORD : IDENTIFIER;
        t->value = t->kind == IDENTIFIER ? intern(t->start, t->length) : 0;
    } else if (class_of(*p) & DIGIT) {
        t->kind = INTEGER;
        for (; (class_of(*p) & DIGIT) || *p == '.'; p++) {
            if (*p == '.')
                t->kind = FLOATING;
            else
                t->value = t->value * 10 + (uint32_t)(*p - '0');
        }
    } else if (*p == '"') {
        t->kind = STRING;
        for (p++; *p != '"'; p++)
            p += *p == '\\';
        p++;
    } else if (*p == '\0') {
        t->kind = END;
    } else {
        t->kind = OPERATOR;
        char c = *p++;
        if (*p == '=' || (*p == c && strchr("+-&|<>", c)))
            p++;
        t->value = (unsigned char)c;
    }
    t->length = (int)(p - t->start);
    return p;
}

static char *make_source(int functions) {
    char *text = malloc((size_t)functions * 400), *out = text;
    if (!text)
        exit(1);
    for (int i = 0; i < functions; i++)
        out += sprintf(out,
                       "/* function %d of many */\nstatic int compute_%d(struct item *list, int count_%d) {\n    int total = %d; // start\n"
                       "    for (int i = 0; i < count_%d; i++) {\n        if (list[i].weight >= 3.25 && list[i].name != \"x\\\"%d\")\n"
                       "            total += list[i].value << %d;\n        else\n            total -= helper_%d(&list[i], total);\n    }\n"
                       "    return total;\n}\n\n",
                       i, i % 211, i % 7, i * 17, i % 7, i, i % 8, i % 97);
    return text;
}

int main(void) {
    char *source = make_source(2000);
    uint64_t counts[KINDS] = {0}, hash = 0;
    init_classes();
    for (int round = 0; round < 250; round++) {
        Token t;
        const char *p = source;
        do {
            p = next_token(p, &t);
            counts[t.kind]++;
            hash = hash * 31 + t.value + (uint64_t)t.length;
        } while (t.kind != END);
    }
    printf("tokenizer");
    for (int k = 0; k < KINDS; k++)
        printf(" %llu", (unsigned long long)counts[k]);
    printf(" names %u %016llx\n", (unsigned)name_count, (unsigned long long)hash);
    free(source);
    return 0;
}
