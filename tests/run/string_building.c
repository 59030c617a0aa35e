#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>

struct buffer { char *data; size_t length, capacity; };

static void append(struct buffer *b, const char *s, size_t n) {
  if (b->length + n + 1 > b->capacity) {
    b->capacity = (b->length + n + 1) * 2;
    b->data = realloc(b->data, b->capacity);
  }
  memcpy(b->data + b->length, s, n);
  b->length += n;
  b->data[b->length] = 0;
}

static void format(struct buffer *b, const char *fmt, ...) {
  va_list ap, again;
  va_start(ap, fmt);
  va_copy(again, ap);
  int n = vsnprintf(0, 0, fmt, ap);
  char *tmp = malloc((size_t)n + 1);
  vsnprintf(tmp, (size_t)n + 1, fmt, again);
  append(b, tmp, (size_t)n);
  free(tmp);
  va_end(again);
  va_end(ap);
}

static char *replace(const char *s, const char *from, const char *to) {
  struct buffer b = { 0 };
  size_t k = strlen(from);
  for (const char *p; (p = strstr(s, from)); s = p + k) {
    append(&b, s, (size_t)(p - s));
    append(&b, to, strlen(to));
  }
  append(&b, s, strlen(s));
  return b.data;
}

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(void) {
  struct buffer b = { 0 };
  for (int i = 0; i < 20; i++)
    format(&b, "%d:%s;", i, i % 3 ? "x" : "fizz");
  printf("%zu %s\n", b.length, b.data);
  char *r = replace("a cat and a dog", "a", "the");
  printf("%s\n", r);
  free(r);
  free(b.data);
  char *words[] = { "pear", "apple", "fig", "banana" };
  qsort(words, 4, sizeof *words, compare);
  for (int i = 0; i < 4; i++)
    printf("%s ", words[i]);
  printf("\n");
  return 0;
}
