/* Measures: quicksort (median of three, insertion sort below 16) on ints, and the same through a comparison callback on structs,
   beside the C library's qsort: unpredictable branches, swaps, an indirect call per comparison. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 400000, SMALL = 16 };

static void insertion(int32_t *v, int n) {
    for (int i = 1; i < n; i++) {
        int32_t key = v[i];
        int j = i;
        for (; j > 0 && v[j - 1] > key; j--)
            v[j] = v[j - 1];
        v[j] = key;
    }
}

static void swap(int32_t *a, int32_t *b) {
    int32_t t = *a;
    *a = *b;
    *b = t;
}

static void sort_ints(int32_t *v, int n) {
    while (n > SMALL) {
        int mid = n / 2, last = n - 1;
        if (v[mid] < v[0])
            swap(&v[mid], &v[0]);
        if (v[last] < v[0])
            swap(&v[last], &v[0]);
        if (v[last] < v[mid])
            swap(&v[last], &v[mid]);
        int32_t pivot = v[mid];
        int i = 0, j = last;
        while (i <= j) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i <= j)
                swap(&v[i++], &v[j--]);
        }
        if (j + 1 < n - i) {
            sort_ints(v, j + 1);
            v += i;
            n -= i;
        } else {
            sort_ints(v + i, n - i);
            n = j + 1;
        }
    }
    insertion(v, n);
}

typedef struct {
    uint32_t key;
    float weight;
    char name[8];
} Record;

typedef int Compare(const void *, const void *);

static void sort_records(Record *v, int n, Compare *compare) {
    if (n < 2)
        return;
    Record pivot = v[n / 2];
    int i = 0, j = n - 1;
    while (i <= j) {
        while (compare(&v[i], &pivot) < 0)
            i++;
        while (compare(&v[j], &pivot) > 0)
            j--;
        if (i <= j) {
            Record t = v[i];
            v[i++] = v[j];
            v[j--] = t;
        }
    }
    sort_records(v, j + 1, compare);
    sort_records(v + i, n - i, compare);
}

static int by_key(const void *a, const void *b) {
    const Record *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static int by_name(const void *a, const void *b) {
    const Record *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : by_key(a, b);
}

int main(void) {
    int32_t *ints = malloc(COUNT * sizeof *ints);
    Record *records = malloc(COUNT / 4 * sizeof *records);
    if (!ints || !records)
        return 1;
    uint32_t seed = 7, hash = 0;
    for (int round = 0; round < 14; round++) {
        for (int i = 0; i < COUNT; i++) {
            seed = seed * 1664525u + 1013904223u;
            ints[i] = (int32_t)(seed >> 4) % (round % 2 ? 1000 : 100000000);
        }
        sort_ints(ints, COUNT);
        for (int i = 1; i < COUNT; i++) {
            if (ints[i - 1] > ints[i])
                return 1;
            if (i % 1000 == 0)
                hash = hash * 31 + (uint32_t)ints[i];
        }
    }
    for (int i = 0; i < COUNT / 4; i++) {
        seed = seed * 1664525u + 1013904223u;
        records[i] = (Record){.key = seed >> 3, .weight = (float)(seed >> 20)};
        for (int c = 0; c < 3; c++)
            records[i].name[c] = (char)('a' + (seed >> (8 + 4 * c)) % 16);
    }
    sort_records(records, COUNT / 4, by_key);
    for (int i = 0; i < COUNT / 4; i += 97)
        hash = hash * 31 + records[i].key;
    sort_records(records, COUNT / 4, by_name);
    for (int i = 0; i < COUNT / 4; i += 97)
        hash = hash * 31 + records[i].key + (uint32_t)records[i].weight;
    qsort(records, COUNT / 4, sizeof *records, by_key);
    printf("sort_quick %08x %u\n", (unsigned)hash, (unsigned)records[1000].key);
    free(ints);
    free(records);
    return 0;
}
