#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { struct entry *next; char *key; int value; };
struct table { struct entry *buckets[16]; size_t count; };

static unsigned hash(const char *s) {
  unsigned h = 5381;
  while (*s)
    h = h * 33 ^ (unsigned char)*s++;
  return h;
}

static struct entry **find(struct table *t, const char *key) {
  struct entry **p = &t->buckets[hash(key) & 15];
  while (*p && strcmp((*p)->key, key))
    p = &(*p)->next;
  return p;
}

static int *at(struct table *t, const char *key) {
  struct entry **p = find(t, key);
  if (!*p) {
    *p = calloc(1, sizeof **p);
    (*p)->key = strdup(key);
    t->count++;
  }
  return &(*p)->value;
}

static int erase(struct table *t, const char *key) {
  struct entry **p = find(t, key), *e = *p;
  if (!e)
    return 0;
  *p = e->next;
  free(e->key);
  free(e);
  t->count--;
  return 1;
}

struct list { struct list *prev, *next; };
struct item { int v; struct list link; };
#define item_of(l) ((struct item *)((char *)(l) - __builtin_offsetof(struct item, link)))

int main(void) {
  struct table t = { { 0 } };
  char key[16];
  for (int i = 0; i < 100; i++) {
    sprintf(key, "k%d", i * i % 37);
    *at(&t, key) += i;
  }
  printf("%zu %d ", t.count, *at(&t, "k4"));
  printf("%d ", erase(&t, "k9"));
  printf("%d\n", erase(&t, "none"));
  int sum = 0;
  for (int i = 0; i < 16; i++)
    for (struct entry *e = t.buckets[i]; e; e = e->next)
      sum += e->value;
  printf("%d\n", sum);
  struct list head = { &head, &head };
  struct item items[6];
  for (int i = 0; i < 6; i++) {
    items[i].v = i;
    struct list *l = &items[i].link;
    if (i & 1) {
      l->next = head.next; l->prev = &head;
      head.next->prev = l; head.next = l;
    } else {
      l->prev = head.prev; l->next = &head;
      head.prev->next = l; head.prev = l;
    }
  }
  items[2].link.prev->next = items[2].link.next;
  items[2].link.next->prev = items[2].link.prev;
  for (struct list *l = head.next; l != &head; l = l->next)
    printf("%d ", item_of(l)->v);
  printf("\n");
  for (int i = 0; i < 16; i++)
    while (t.buckets[i])
      erase(&t, t.buckets[i]->key);
  return 0;
}
