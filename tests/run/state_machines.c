/* Loops around a switch whose state is set to constants in its cases, flags that end loops, tests of the first round only. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Removes C comments outside of strings; gives the number of lines. */
__attribute__((noinline)) static int strip(const char *in, char *out) {
    enum { CODE, SLASH, LINE, BLOCK, STAR, STRING, ESCAPE, CHARACTER } state = CODE;
    int lines = 0;
    for (; *in; in++) {
        char c = *in;
        if (c == '\n')
            lines++;
        switch (state) {
        case CODE:
            if (c == '/') {
                state = SLASH;
                continue;
            }
            if (c == '"')
                state = STRING;
            else if (c == '\'')
                state = CHARACTER;
            break;
        case SLASH:
            if (c == '/') {
                state = LINE;
                continue;
            }
            if (c == '*') {
                state = BLOCK;
                continue;
            }
            *out++ = '/';
            state = CODE;
            break;
        case LINE:
            if (c != '\n')
                continue;
            state = CODE;
            break;
        case BLOCK:
            if (c == '*')
                state = STAR;
            continue;
        case STAR:
            state = c == '/' ? CODE : c == '*' ? STAR : BLOCK;
            continue;
        case STRING:
            if (c == '\\')
                state = ESCAPE;
            else if (c == '"')
                state = CODE;
            break;
        case ESCAPE:
            state = STRING;
            break;
        case CHARACTER:
            if (c == '\'')
                state = CODE;
            break;
        }
        *out++ = c;
    }
    *out = '\0';
    return lines;
}

/* A number: digits, a point, an exponent. Gives the last state, or -1. */
__attribute__((noinline)) static int number(const char *s, double *value) {
    int state = 0, exponent = 0, sign = 1;
    double scale = 1, result = 0;
    while (1) {
        int c = (unsigned char)*s;
        s += c != 0;
        switch (state) {
        case 0:
            if (!isdigit(c))
                return -1;
            result = c - '0';
            state = 1;
            break;
        case 1:
            if (isdigit(c))
                result = result * 10 + (c - '0');
            else if (c == '.')
                state = 2;
            else if (c == 'e')
                state = 3;
            else
                state = 9;
            break;
        case 2:
            if (isdigit(c))
                result += (c - '0') * (scale /= 10);
            else if (c == 'e')
                state = 3;
            else
                state = 9;
            break;
        case 3:
            if (c == '-')
                sign = -1;
            else if (isdigit(c))
                exponent = c - '0';
            else
                return -1;
            state = 4;
            break;
        case 4:
            if (isdigit(c))
                exponent = exponent * 10 + (c - '0');
            else
                state = 9;
            break;
        default:
            while (exponent-- > 0)
                result = sign < 0 ? result / 10 : result * 10;
            *value = result;
            return state;
        }
    }
}

/* Goes on with the state of the round before; the difference to the byte before is taken in every round. */
__attribute__((noinline)) static unsigned differences(const unsigned char *p, int n) {
    int state = 0;
    unsigned sum = 0;
    unsigned char before = 0;
    for (int i = 0; i < n; i++) {
        unsigned char now = p[i];
        int step = now - before;
        switch (state) {
        case 0:
            sum += (unsigned)step;
            state = 1;
            break;
        case 1:
            sum = sum * 3 + (unsigned)step;
            state = now & 1 ? 2 : 1;
            break;
        case 2:
            sum -= (unsigned)(step * before);
            state = step < 0 ? 0 : 2;
            break;
        }
        before = now;
    }
    return sum + (unsigned)state;
}

/* Which of two values comes in changes roles from round to round. */
static unsigned exchange(unsigned a, unsigned b, int n) {
    int state = 0;
    while (n-- > 0) {
        unsigned t = a;
        switch (state) {
        case 0:
            a = b + 1;
            b = t;
            state = 1;
            break;
        case 1:
            a = b ^ t;
            state = a & 2 ? 3 : 0;
            break;
        case 3:
            b = t * 5;
            a = b >> 3 | t << 1;
            state = b & 8 ? 1 : 3;
            break;
        }
    }
    return a * 31 + b;
}

__attribute__((noinline)) static int search(const int *a, int n, int wanted) {
    int done = 0, i = 0, steps = 0;
    while (!done) {
        steps++;
        if (i >= n) {
            done = 1;
            i = -1;
            continue;
        }
        if (a[i] == wanted) {
            done = 2;
            continue;
        }
        i++;
    }
    return i * 100 + steps * 10 + done;
}

__attribute__((noinline)) static int joined(const char *const *words, char *out) {
    int first = 1, count = 0;
    for (; *words; words++) {
        if (!**words)
            continue;
        if (!first) {
            *out++ = ',';
        }
        first = 0;
        size_t n = strlen(*words);
        memcpy(out, *words, n);
        out += n;
        count++;
    }
    *out = 0;
    return count;
}

/* Nested machines that set each other's state. */
static int nested(const char *s) {
    int outer = 0, inner = 0, result = 0;
    for (; *s; s++) {
        switch (outer) {
        case 0:
            if (*s == '(') {
                outer = 1;
                inner = 0;
            }
            break;
        case 1:
            do {
                switch (inner) {
                case 0:
                    inner = *s == 'x' ? 1 : *s == ')' ? 2 : 0;
                    break;
                case 1:
                    result = result * 2 + 1;
                    inner = 0;
                    break;
                case 2:
                    outer = 0;
                    inner = 3;
                    break;
                default:
                    inner = 0;
                }
            } while (inner == 1 || inner == 2);
            result += inner;
            break;
        }
    }
    return result * 4 + outer;
}

int main(void) {
    const char *source = "int a; // one\nchar *s = \"/* no */ \\\" //\"; /* two **/ int b = 4 / 2; '\"' /***/\n/x/ y /* open";
    char out[200];
    int lines = strip(source, out);
    printf("%d\n%s\n", lines, out);
    const char *const numbers[] = {"12", "3.25", "1e3", "25e-1", "7.5e2", "x", "1ex", "0.125", "9."};
    for (int i = 0; i < 9; i++) {
        double value = -1;
        int state = number(numbers[i], &value);
        printf("%d %g ", state, value);
    }
    printf("\n%u\n", differences((const unsigned char *)source, (int)strlen(source)));
    printf("%u %u\n", exchange(3, 5, 20), exchange(100, 7, 1001));
    int a[] = {4, 8, 15, 16, 23, 42};
    printf("%d %d %d\n", search(a, 6, 15), search(a, 6, 5), search(a, 0, 4));
    const char *const words[] = {"one", "", "two", "", "three", NULL};
    printf("%d", joined(words, out));
    printf(" %s\n", out);
    printf("%d %d\n", nested("a(xx)b(x)x(xaxx"), nested(""));
    return 0;
}
