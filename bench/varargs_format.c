/* Measures: a printf of our own over va_list: integers, hexadecimal, fixed-point numbers, strings, padding; and sums over variable
   arguments of mixed types. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    char *at, *end;
} Buffer;

static void put(Buffer *b, char c) {
    if (b->at < b->end)
        *b->at++ = c;
}

typedef struct {
    int width, precision;
    char fill;
    _Bool left, plus;
} Spec;

static void put_padded(Buffer *b, const char *text, int length, const Spec *spec) {
    int padding = spec->width > length ? spec->width - length : 0;
    for (int i = 0; !spec->left && i < padding; i++)
        put(b, spec->fill);
    for (int i = 0; i < length; i++)
        put(b, text[i]);
    for (int i = 0; spec->left && i < padding; i++)
        put(b, ' ');
}

static void put_number(Buffer *b, uint64_t value, unsigned base, int negative, const Spec *spec) {
    char digits[32], *p = digits + sizeof digits;
    do
        *--p = "0123456789abcdef"[value % base];
    while ((value /= base) != 0);
    if (negative || spec->plus)
        *--p = negative ? '-' : '+';
    put_padded(b, p, (int)(digits + sizeof digits - p), spec);
}

/* Rounds to the nearest, as far as 64 bits reach. */
static void put_fixed(Buffer *b, double value, const Spec *spec) {
    uint64_t scale = 1;
    int negative = value < 0;
    for (int i = 0; i < spec->precision; i++)
        scale *= 10;
    uint64_t scaled = (uint64_t)((negative ? -value : value) * (double)scale + 0.5);
    Spec whole = *spec, part = {.width = spec->precision, .fill = '0'};
    if (whole.width > 0)
        whole.width -= spec->precision + 1;
    put_number(b, scaled / scale, 10, negative, &whole);
    put(b, '.');
    put_number(b, scaled % scale, 10, 0, &part);
}

static const char *parse_spec(const char *f, Spec *spec) {
    *spec = (Spec){.precision = 2, .fill = ' '};
    for (;; f++) {
        if (*f == '-')
            spec->left = 1;
        else if (*f == '0')
            spec->fill = '0';
        else if (*f == '+')
            spec->plus = 1;
        else
            break;
    }
    for (; *f >= '0' && *f <= '9'; f++)
        spec->width = spec->width * 10 + (*f - '0');
    if (*f == '.')
        for (spec->precision = 0, f++; *f >= '0' && *f <= '9'; f++)
            spec->precision = spec->precision * 10 + (*f - '0');
    return f;
}

static int format_list(char *out, size_t size, const char *f, va_list list) {
    Buffer b = {out, out + size - 1};
    for (; *f; f++) {
        if (*f != '%') {
            put(&b, *f);
            continue;
        }
        Spec spec;
        f = parse_spec(f + 1, &spec);
        switch (*f) {
        case 'd': {
            int v = va_arg(list, int);
            put_number(&b, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, 10, v < 0, &spec);
            break;
        }
        case 'l': put_number(&b, va_arg(list, uint64_t), 10, 0, &spec); break;
        case 'x': put_number(&b, va_arg(list, unsigned), 16, 0, &spec); break;
        case 'c': put(&b, (char)va_arg(list, int)); break;
        case 'f': put_fixed(&b, va_arg(list, double), &spec); break;
        case 's': {
            const char *s = va_arg(list, const char *);
            put_padded(&b, s, (int)strlen(s), &spec);
            break;
        }
        default: put(&b, *f); break;
        }
    }
    *b.at = '\0';
    return (int)(b.at - out);
}

static int format(char *out, size_t size, const char *f, ...) {
    va_list list;
    va_start(list, f);
    int n = format_list(out, size, f, list);
    va_end(list);
    return n;
}

/* i, l, d in `kinds` say what follows. */
static double sum_of(const char *kinds, ...) {
    double sum = 0;
    va_list list, again;
    va_start(list, kinds);
    va_copy(again, list);
    for (int pass = 0; pass < 2; pass++)
        for (const char *k = kinds; *k; k++) {
            va_list *from = pass ? &again : &list;
            switch (*k) {
            case 'i': sum += va_arg(*from, int); break;
            case 'l': sum += (double)va_arg(*from, long); break;
            default: sum += va_arg(*from, double); break;
            }
        }
    va_end(again);
    va_end(list);
    return sum;
}

int main(void) {
    static const char *const names[] = {"alpha", "beta", "gamma", "a longer name"};
    char line[160], other[160];
    uint32_t hash = 0;
    double sum = 0;
    for (int i = 0; i < 1600000; i++) {
        int n = format(line, sizeof line, "%6d|%-10s|%08x|%10.3f|%c%%|%l|%+d", i - 500, names[i % 4], (unsigned)i * 2654435761u, i * 0.125 - 1000,
                       'a' + i % 26, (uint64_t)i * 1000003, i % 100);
        for (int c = 0; c < n; c += 3)
            hash = hash * 31 + (unsigned char)line[c];
        sum += sum_of("iddlidlddid", i, 0.5, 1.5, (long)i * 3, 7, 2.25, 8L, 1.0, 2.0, i % 9, 0.125);
        if (i % 64 == 0) {
            snprintf(other, sizeof other, "%6d|%-10s|%08x|%10.3f|%c%%|%llu|%+d", i - 500, names[i % 4], (unsigned)i * 2654435761u,
                     i * 0.125 - 1000, 'a' + i % 26, (unsigned long long)i * 1000003, i % 100);
            if (strcmp(line, other) != 0) {
                printf("%s\n%s\n", line, other);
                return 1;
            }
        }
    }
    printf("varargs_format %08x %.3f\n%s\n", (unsigned)hash, sum, line);
    return 0;
}
