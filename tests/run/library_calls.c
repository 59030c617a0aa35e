// flags: -lm
/* Library functions on known text, and calls that become cheaper ones: what they return and write stays the same. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char greeting[] = "hello, world";
static const char padded[12] = "short";
static char buffer[64];
static int calls;

static const char *count(const char *s)
{
    calls++;
    return s;
}

__attribute__((noinline)) static int vline(FILE *f, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vfprintf(f, "v-line\n", ap);
    va_end(ap);
    va_start(ap, format);
    int n = vfprintf(f, format, ap);
    va_end(ap);
    return n;
}

__attribute__((noinline)) static int sign(int n) { return (n > 0) - (n < 0); }

__attribute__((noinline)) static void lengths(int i, const char *unknown)
{
    const char *either = i ? "abc" : "xyz", *uneven = i ? "abc" : "four";
    printf("%zu %zu %zu %zu\n", strlen(greeting), strlen(greeting + i), strlen(&padded[2]), strlen(either));
    printf("%zu %zu %zu %zu\n", strlen(uneven), strnlen(unknown, 3), strnlen("abcdef", 4), strnlen(greeting, i + 40u));
    printf("%zu %zu %zu\n", strspn(greeting, "leh"), strcspn(greeting, ","), strcspn(unknown, ""));
}

__attribute__((noinline)) static void compares(const char *unknown, char *p, int n)
{
    printf("%d %d %d\n", sign(strcmp("abc", "abd")), sign(strcmp(unknown, "")), sign(strcmp("", unknown)));
    printf("%d %d %d\n", sign(strncmp("abc", "abd", 2)), sign(strncmp(unknown, "zebra", 1)), strncmp(unknown, p, 0));
    printf("%d %d %d\n", sign(memcmp(unknown, "unknown", 8)), !memcmp(p, "wxyz", 4), sign(memcmp("\xff", "\1", 1)));
    printf("%d %d\n", sign(strcmp("\xff", "\1")), sign(memcmp(p, p, n)));
}

__attribute__((noinline)) static void searches(const char *unknown)
{
    printf("%s %s %s\n", strchr(greeting, 'o'), strrchr(greeting, 'o'), strchr("abc", 'x') ? "found" : "none");
    printf("%d %d\n", (int)(strchr(unknown, 0) - unknown), (int)(strrchr(unknown, 0) - unknown));
    printf("%s %s %s\n", strstr(greeting, "wor"), strstr(unknown, "k"), strstr(unknown, ""));
    printf("%s %s %d\n", strpbrk(greeting, "lo"), strpbrk(unknown, "n"), strpbrk(unknown, "") == NULL);
    printf("%s %d\n", (char *)memchr("abc\0def", 'd', 7), memchr("abc", 'c', 2) == NULL);
}

__attribute__((noinline)) static void copies(char *p, const char *unknown, int i)
{
    printf("%d %s\n", strcpy(p, "copied") == p, p);
    printf("%d %s\n", (int)(stpcpy(p, "end") - p), p);
    memset(p, '#', 20);
    p[20] = 0;
    printf("%d %s\n", strncpy(p, "abcdef", 3) == p, p);
    printf("%d %s\n", strncpy(p, "ab", 6) == p, p);
    strcpy(p, i ? "same" : "size");
    printf("%d %s\n", strcat(p, "+more") == p, p);
    printf("%d %s\n", strncat(p, "tail", 2) == p, p);
    printf("%d %s\n", strncat(p, "!", 9) == p, p);
    printf("%s\n", strcat(p, count("")));
    printf("%s\n", strcpy(p, unknown));
    memmove(p + 1, "constant", 4);
    printf("%s\n", p);
}

__attribute__((noinline)) static void prints(const char *unknown, char *p, int c)
{
    printf("a line\n");
    printf("x");
    printf("%c", c);
    printf("\n");
    printf("%s\n", unknown);
    printf("%s", "part\n");
    printf("%s", count("counted"));
    printf("");
    printf("%d\n", printf("used\n"));
    fprintf(stdout, "to a stream\n");
    fprintf(stdout, "%s", unknown);
    fprintf(stdout, "%c", '\n');
    fputs("fputs\n", stdout);
    fputs("", stdout);
    fputs("!", stdout);
    printf(" %d\n", sprintf(p, "plain"));
    printf("%s %d\n", p, sprintf(p, "%s", "known"));
    sprintf(p, "%s", unknown);
    printf("%s %d", p, sprintf(p, "%c", c));
    printf(" %s %d\n", p, snprintf(p, 4, "truncated"));
    printf("%s %d\n", p, snprintf(p, 40, "fits"));
    printf("%d\n", vline(stdout, "%d\n", 5));
}

int main(void)
{
    lengths(1, "unknown");
    compares("unknown", (char[]){"wxyz"}, 3);
    searches("unknown");
    copies(buffer, "unknown", 1);
    prints("unknown", buffer, 'c');
    for (int c = 'A' - 20; c < 'A'; c += 3)
        printf("%d", !!isdigit(c));
    volatile float f = -2.5f;
    printf(" %g %g %g %d\n", floor(f), ceil(f), trunc(f), calls);
    return 0;
}
